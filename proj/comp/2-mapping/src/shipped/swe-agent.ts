/**
 * SWE-agent. The commands of its windowed editor (open, goto, scroll, edit) work on a window that hermes does not have:
 * they stay unmapped.
 */
export const SWE_AGENT = String.raw`
extends: [anthropic]
tools:
  bash:
    - when: { restart: true }
      skip: it restarts the shell; here every command has a new one
    - verb: execute_command
      arguments:
        command: command
        timeout_seconds: timeout
      ignore: [restart]
      result: { text: [stdout, stderr], before: "(Open file: " }
  open: { unmapped: it works on the window of SWE-agent's editor }
  goto: { unmapped: it works on the window of SWE-agent's editor }
  scroll_up: { unmapped: it works on the window of SWE-agent's editor }
  scroll_down: { unmapped: it works on the window of SWE-agent's editor }
  edit: { unmapped: it works on the window of SWE-agent's editor }
  create: { unmapped: it works on the window of SWE-agent's editor }
  insert: { unmapped: it works on the window of SWE-agent's editor }
  append: { unmapped: it works on the window of SWE-agent's editor }
  undo_edit: { unmapped: it works on the window of SWE-agent's editor }
  find_file: { unmapped: its search shows what hermes' does not }
  search_dir: { unmapped: its search shows what hermes' does not }
  search_file: { unmapped: its search shows what hermes' does not }
  submit: { skip: it ends the conversation }
  exit_cost: { skip: it ends the conversation }
  exit_context: { skip: it ends the conversation }
  exit_format: { skip: it ends the conversation }
`
