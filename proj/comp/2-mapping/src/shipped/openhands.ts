/** OpenHands. Its commands share one shell; here each has its own, so that what a cd leaves behind is lost. */
export const OPENHANDS = String.raw`
extends: [anthropic]
tools:
  execute_bash:
    - when: { is_input: ['true', true] }
      unmapped: it is input to a program that still runs
    - verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout, plus: 0 }
      ignore: [is_input, security_risk]
      result: { text: [stdout, stderr] }
  execute_ipython_cell: { unmapped: it needs the state of a notebook }
  think: { skip: it is a thought }
  finish: { skip: it ends the conversation }
  task_tracker: { skip: it keeps a list of the model's own }
`
