import { newFile } from './edit-rules.js'

/**
 * GitHub Copilot in VS Code: `package.json` of microsoft/vscode-copilot-chat, with the names of arguments that it had
 * before. `create_file` also with `path`, as other prompts have it.
 */
export const COPILOT = String.raw`
ignore: [explanation]
tools:
  create_file:
    - when: { path: { present: true } }
      ${newFile('path', 'content')}
    - ${newFile('filePath', 'content')}
  create_directory:
    verb: fs.createDirectory
    arguments: { path: { from: dirPath, path: true } }
  replace_string_in_file:
    verb: file_replace_text
    arguments: { path: { from: filePath, path: true }, old_text: oldString, new_text: newString }
  multi_replace_string_in_file: { opens: replacements, as: replace_string_in_file }
  insert_edit_into_file: { unmapped: its code is a sketch in which code is left out }
  read_file:
    - when: { startLineNumberBaseZero: { present: true } }
      verb: read_file
      arguments:
        path: { from: filePath, path: true }
        start_line: { from: startLineNumberBaseZero, plus: 1 }
        end_line: { from: endLineNumberBaseZero, plus: 1 }
    - verb: read_file
      arguments: { path: { from: filePath, path: true }, start_line: startLine, end_line: endLine }
  list_dir:
    verb: list_directory
    arguments: { path: { from: path, path: true } }
  file_search:
    verb: glob
    arguments: { pattern: query }
    omit: [maxResults]
  run_in_terminal:
    - when: { isBackground: [false, null] }
      verb: execute_command
      arguments: { command: command, timeout_seconds: { from: timeout, times: 0.001, unless: 0 } }
      ignore: [goal]
    - unmapped: it goes on in the background
  apply_patch:
    verb: apply_patch
    arguments: { patch: input }
  manage_todo_list: { skip: it keeps a list of the model's own }
  get_errors: { unmapped: no verb has the messages of an editor }
  fetch_webpage: { unmapped: there are no verbs for the web }
`
