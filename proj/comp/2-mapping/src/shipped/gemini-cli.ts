import { newFile } from './edit-rules.js'

/**
 * Gemini CLI: `packages/core/src/tools` of google-gemini/gemini-cli, with the names of arguments that it had before
 * (`absolute_path`, `path`). Its offset counts lines from 0.
 */
export const GEMINI_CLI = String.raw`
ignore: [wait_for_previous]
tools:
  run_shell_command:
    - when: { is_background: [false, null] }
      verb: execute_command
      arguments: { command: command, working_directory: { from: directory, path: true } }
      ignore: [description]
    - unmapped: it goes on in the background
  read_file:
    - when: { absolute_path: { present: true } }
      verb: read_file
      arguments:
        path: { from: absolute_path, path: true }
        start_line: { from: offset, plus: 1 }
        end_line: { from: limit, beyond: offset, first: 0 }
    - when: { offset: { present: true } }
      verb: read_file
      arguments:
        path: { from: file_path, path: true }
        start_line: { from: offset, plus: 1 }
        end_line: { from: limit, beyond: offset, first: 0 }
    - when: { limit: { present: true } }
      verb: read_file
      arguments: { path: { from: file_path, path: true }, end_line: limit }
    - verb: read_file
      arguments: { path: { from: file_path, path: true }, start_line: start_line, end_line: end_line }
  write_file:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
  replace:
    - when: { old_string: '' }
      ${newFile('file_path', 'new_string')}
      ignore: [instruction, expected_replacements, allow_multiple]
    - when: { allow_multiple: true }
      verb: file_replace_all_text
      arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
      ignore: [instruction]
    - when: { allow_multiple: [false, null] }
      verb: file_replace_text
      arguments:
        path: { from: file_path, path: true }
        old_text: old_string
        new_text: new_string
        count: expected_replacements
      ignore: [instruction]
  list_directory:
    - when: { dir_path: { present: true } }
      verb: list_directory
      arguments: { path: { from: dir_path, path: true } }
      omit: [ignore, respect_git_ignore, file_filtering_options]
    - verb: list_directory
      arguments: { path: { from: path, path: true } }
      omit: [ignore, respect_git_ignore, file_filtering_options]
  glob:
    - when: { dir_path: { present: true } }
      verb: glob
      arguments: { pattern: pattern, base_path: { from: dir_path, path: true } }
      omit: [case_sensitive, respect_git_ignore, respect_gemini_ignore]
    - verb: glob
      arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
      omit: [case_sensitive, respect_git_ignore, respect_gemini_ignore]
  search_file_content:
    - when: { dir_path: { present: true } }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        path: { from: dir_path, path: true }
        pattern: include
    - verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        path: { from: path, path: true, default: '.' }
        pattern: include
  grep_search: { same_as: search_file_content }
  read_many_files: { unmapped: no verb reads files by patterns; glob finds them }
  web_fetch: { unmapped: there are no verbs for the web }
  google_web_search: { unmapped: there are no verbs for the web }
  save_memory: { unmapped: hermes keeps no memory of its own }
  write_todos: { skip: it keeps a list of the model's own }
  ask_user_question: { skip: it asks the user }
`
