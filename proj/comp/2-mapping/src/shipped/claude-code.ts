/** Claude Code. Its reading tools number and cut what they show, so that only success is compared. */
export const CLAUDE_CODE = String.raw`
tools:
  Bash:
    - when: { run_in_background: [false, null] }
      verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout, times: 0.001 }
      ignore: [description, dangerouslyDisableSandbox]
      result: { text: [stdout, stderr], answers_by_code: [grep, egrep, fgrep, rg, find, diff, test, '['] }
    - unmapped: it goes on in the background
  Read:
    verb: read_file
    arguments: { path: { from: file_path, path: true } }
    ignore: [offset, limit]
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File does not exist|EISDIR|ENOENT)'] }
  Write:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read)'] }
  Edit:
    - when: { old_string: '' }
      verb: fs.writeFile
      arguments: { path: { from: file_path, path: true }, content: new_string }
      ignore: [replace_all]
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|Cannot create)'] }
    - when: { replace_all: true }
      verb: file_replace_all_text
      arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|String to replace|Found)'] }
    - verb: file_replace_text
      arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
      ignore: [replace_all]
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|String to replace|Found)'] }
  Glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  Grep:
    verb: search_files
    arguments:
      query: pattern
      regex: { value: true }
      path: { from: path, path: true, default: '.' }
      pattern: glob
    ignore: [output_mode, head_limit, '-n', '-A', '-B', '-C', offset]
  LS:
    verb: list_directory
    arguments: { path: { from: path, path: true } }
    ignore: [ignore]
  MultiEdit: { unmapped: it is several edits that are made together }
  NotebookEdit: { unmapped: hermes does not edit notebooks }
  TodoWrite: { skip: it keeps a list of the model's own }
  ExitPlanMode: { skip: it asks the user }
  AskUserQuestion: { skip: it asks the user }
`
