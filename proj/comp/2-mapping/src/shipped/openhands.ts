/**
 * OpenHands: `openhands/agenthub/codeact_agent/tools` of All-Hands-AI/OpenHands, and the tools of its SDK. Its commands
 * share one shell; here each has its own, so that what a cd leaves behind is lost.
 */
export const OPENHANDS = String.raw`
extends: [anthropic]
ignore: [security_risk, summary]
tools:
  execute_bash:
    - when: { is_input: true }
      unmapped: it is input to a program that still runs
    - when: { reset: true }
      skip: it restarts the shell; here every command has a new one
    - verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout, plus: 0 }
      ignore: [is_input, reset]
      result: { text: [stdout, stderr] }
  terminal: { same_as: execute_bash }
  file_editor: { same_as: str_replace_editor }
  edit_file: { when: { content: { present: true } }, unmapped: its content is a sketch in which code is left out }
  execute_ipython_cell: { unmapped: it needs the state of a notebook }
  browser: { unmapped: there are no verbs for the web }
  think: { skip: it is a thought }
  finish: { skip: it ends the conversation }
  task_tracker: { skip: it keeps a list of the model's own }
`
