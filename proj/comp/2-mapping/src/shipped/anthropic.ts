/**
 * Tools defined by Anthropic, bash and the text editor, in all their versions (its documentation: bash tool, text
 * editor tool). The editor's `create` may overwrite.
 */
export const ANTHROPIC = String.raw`
tools:
  bash:
    - when: { restart: true }
      skip: it restarts the shell; here every command has a new one
    - verb: execute_command
      arguments:
        command: command
        timeout_seconds: timeout
      ignore: [restart]
      result: { text: [stdout, stderr] }
  str_replace_editor:
    - when: { command: view, path: { is: directory } }
      verb: list_directory
      arguments: { path: { from: path, path: true } }
      ignore: [view_range]
    - when: { command: view }
      verb: read_file
      arguments:
        path: { from: path, path: true }
        start_line: { from: view_range, item: 0 }
        end_line: { from: view_range, item: 1, unless: -1 }
      result: { fails: ['^(?:ERROR|Error|Invalid)\b', 'does not exist'] }
    - when: { command: create }
      verb: fs.writeFile
      arguments: { path: { from: path, path: true }, content: file_text }
      result: { fails: ['^(?:ERROR|Error|Invalid)\b', 'already exists'] }
    - when: { command: str_replace }
      verb: file_replace_text
      arguments:
        path: { from: path, path: true }
        old_text: old_str
        new_text: { from: new_str, default: '' }
      result: { fails: ['^(?:ERROR|Error|Invalid)\b', 'No replacement was performed'] }
    - when: { command: insert, insert_text: { present: true } }
      verb: fs.writeRange
      arguments:
        path: { from: path, path: true }
        startLine: { from: insert_line, plus: 1 }
        content: insert_text
      result: { fails: ['^(?:ERROR|Error|Invalid)\b'] }
    - when: { command: insert }
      verb: fs.writeRange
      arguments:
        path: { from: path, path: true }
        startLine: { from: insert_line, plus: 1 }
        content: new_str
      result: { fails: ['^(?:ERROR|Error|Invalid)\b'] }
  str_replace_based_edit_tool: { same_as: str_replace_editor }
  text_editor: { same_as: str_replace_editor }
`
