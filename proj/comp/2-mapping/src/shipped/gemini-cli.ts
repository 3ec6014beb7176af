/** Gemini CLI. */
export const GEMINI_CLI = String.raw`
tools:
  run_shell_command:
    verb: execute_command
    arguments: { command: command, working_directory: { from: directory, path: true } }
    ignore: [description]
  read_file:
    - when: { absolute_path: { present: true } }
      verb: read_file
      arguments: { path: { from: absolute_path, path: true } }
      ignore: [offset, limit]
    - verb: read_file
      arguments: { path: { from: file_path, path: true } }
      ignore: [offset, limit]
  write_file:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
  replace:
    - when: { old_string: '' }
      verb: fs.writeFile
      arguments: { path: { from: file_path, path: true }, content: new_string }
      ignore: [instruction, expected_replacements]
    - verb: file_replace_text
      arguments:
        path: { from: file_path, path: true }
        old_text: old_string
        new_text: new_string
      ignore: [instruction]
  list_directory:
    verb: list_directory
    arguments: { path: { from: path, path: true } }
    ignore: [ignore, respect_git_ignore, file_filtering_options]
  glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
    ignore: [case_sensitive, respect_git_ignore]
  search_file_content:
    verb: search_files
    arguments:
      query: pattern
      regex: { value: true }
      path: { from: path, path: true, default: '.' }
      pattern: include
`
