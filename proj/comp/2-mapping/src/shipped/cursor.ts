import { newFile, replaceRules, USUAL } from './edit-rules.js'
import { grepRules } from './grep-rules.js'

/**
 * Cursor's agent, from its published prompts (x1xhlol/system-prompts-and-models-of-ai-tools, `Cursor Prompts`), as
 * there is no public source. A `code_edit` omits code, which another model fills in.
 */
export const CURSOR = String.raw`
ignore: [explanation]
tools:
  read_file:
    - when: { relative_workspace_path: { present: true }, should_read_entire_file: [false, null] }
      verb: read_file
      arguments:
        path: { from: relative_workspace_path, path: true }
        start_line: start_line_one_indexed
        end_line: end_line_one_indexed_inclusive
    - when: { relative_workspace_path: { present: true } }
      verb: read_file
      arguments: { path: { from: relative_workspace_path, path: true } }
      ignore: [should_read_entire_file, start_line_one_indexed, end_line_one_indexed_inclusive]
    - when: { should_read_entire_file: true }
      verb: read_file
      arguments: { path: { from: target_file, path: true } }
      ignore: [start_line_one_indexed, end_line_one_indexed_inclusive, end_line_one_indexed]
    - when: { start_line_one_indexed: { present: true } }
      verb: read_file
      arguments:
        path: { from: target_file, path: true }
        start_line: start_line_one_indexed
        end_line: end_line_one_indexed_inclusive
      ignore: [should_read_entire_file]
    - verb: read_file
      arguments:
        path: { from: target_file, path: true }
        start_line: { from: offset, unless: 0 }
        end_line: { from: limit, beyond: offset }
      ignore: [should_read_entire_file]
  edit_file:
    when: { code_edit: { present: true } }
    unmapped: its code_edit is a sketch in which code is left out
  reapply: { unmapped: it repeats a sketch in which code is left out }
  search_replace:
    - when: { old_string: '' }
      ${newFile('file_path', 'new_string')}
      ignore: [replace_all]
${replaceRules(USUAL)}
  write:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: contents }
  MultiEdit: { opens: edits, as: search_replace }
  delete_file:
    verb: file_delete
    arguments: { path: { from: target_file, path: true } }
  run_terminal_cmd:
    - when: { is_background: [false, null] }
      verb: execute_command
      arguments: { command: command }
      ignore: [require_user_approval]
    - unmapped: it goes on in the background
  list_dir:
    - when: { target_directory: { present: true } }
      verb: list_directory
      arguments: { path: { from: target_directory, path: true } }
      omit: [ignore_globs]
    - verb: list_directory
      arguments: { path: { from: relative_workspace_path, path: true } }
  grep_search:
    verb: search_files
    arguments:
      query: query
      regex: { value: true }
      case_sensitive: case_sensitive
      pattern: include_pattern
    omit: [exclude_pattern]
  grep:
${grepRules({ usually: 'content', isPaged: false })}
  glob_file_search:
    verb: glob
    arguments:
      pattern: { from: glob_pattern, format: '**/{}' }
      base_path: { from: target_directory, path: true, default: '.' }
  file_search: { unmapped: no verb finds files by parts of their names; glob finds them by patterns }
  codebase_search:
    verb: semantic_search
    arguments: { query: query }
    omit: [target_directories]
  edit_notebook: { unmapped: hermes does not edit notebooks }
  read_lints: { unmapped: no verb has the messages of linters }
  web_search: { unmapped: there are no verbs for the web }
  todo_write: { skip: it keeps a list of the model's own }
`
