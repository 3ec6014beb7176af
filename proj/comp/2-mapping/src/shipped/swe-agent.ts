/**
 * SWE-agent: `tools/` of SWE-agent/SWE-agent. The commands of its windowed editor (open, goto, scroll, edit) work on a
 * window that hermes does not have: they stay unmapped.
 */
const WINDOW = `{ unmapped: it works on the window of SWE-agent's editor }`

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
  open: ${WINDOW}
  goto: ${WINDOW}
  scroll_up: ${WINDOW}
  scroll_down: ${WINDOW}
  edit: ${WINDOW}
  create: ${WINDOW}
  insert: ${WINDOW}
  append: ${WINDOW}
  undo_edit: ${WINDOW}
  find_file:
    verb: glob
    arguments: { pattern: { from: file_name, format: '**/{}' }, base_path: { from: dir, path: true, default: '.' } }
  search_dir:
    verb: search_files
    arguments:
      query: search_term
      case_sensitive: { value: true }
      path: { from: dir, path: true, default: '.' }
  search_file:
    - when: { file: { present: true } }
      verb: search_files
      arguments: { query: search_term, case_sensitive: { value: true }, path: { from: file, path: true } }
    - unmapped: it works on the window of SWE-agent's editor
  submit: { skip: it ends the conversation }
  exit_cost: { skip: it ends the conversation }
  exit_context: { skip: it ends the conversation }
  exit_format: { skip: it ends the conversation }
`
