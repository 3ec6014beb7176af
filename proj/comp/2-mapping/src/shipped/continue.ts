import { replaceRules, USUAL } from './edit-rules.js'

/** Continue: `core/tools/definitions` of continuedev/continue; in 2025 the names began with `builtin_`. */
export const CONTINUE = String.raw`
tools:
  read_file:
    verb: read_file
    arguments: { path: { from: filepath, path: true } }
  read_file_range:
    verb: read_file
    arguments: { path: { from: filepath, path: true }, start_line: startLine, end_line: endLine }
  create_new_file:
    verb: write_file
    arguments:
      path: { from: filepath, path: true }
      content: contents
      create_directories: { value: true }
      overwrite: { value: false }
  single_find_and_replace:
${replaceRules({ ...USUAL, path: 'filepath' })}
  multi_edit: { opens: edits, as: single_find_and_replace }
  edit_existing_file:
    when: { changes: { present: true } }
    unmapped: its changes are a sketch in which code is left out
  run_terminal_command:
    - when: { waitForCompletion: [true, null] }
      verb: execute_command
      arguments: { command: command }
    - unmapped: it goes on in the background
  ls:
    verb: list_directory
    arguments: { path: { from: dirPath, path: true, default: '.' }, recursive: recursive }
  grep_search:
    verb: search_files
    arguments: { query: query, regex: { value: true } }
  file_glob_search:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  view_diff: { verb: git_diff }
  view_repo_map: { verb: symbol_outline }
  view_subdirectory:
    verb: symbol_outline
    arguments: { path: { from: directory_path, path: true } }
  read_currently_open_file: { unmapped: there is no editor with an open file }
  codebase: { unmapped: 'semantic_search is called by its own name' }
  search_web: { unmapped: there are no verbs for the web }
  fetch_url_content: { unmapped: there are no verbs for the web }
  create_rule_block: { unmapped: hermes has no rules of Continue }
  request_rule: { unmapped: hermes has no rules of Continue }
  builtin_read_file: { same_as: read_file }
  builtin_create_new_file: { same_as: create_new_file }
  builtin_edit_existing_file: { same_as: edit_existing_file }
  builtin_run_terminal_command: { same_as: run_terminal_command }
  builtin_grep_search: { same_as: grep_search }
  builtin_file_glob_search: { same_as: file_glob_search }
  builtin_view_diff: { same_as: view_diff }
  builtin_view_repo_map: { same_as: view_repo_map }
  builtin_view_subdirectory: { same_as: view_subdirectory }
`
