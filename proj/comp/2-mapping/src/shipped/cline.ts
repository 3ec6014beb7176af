/** Cline and Roo Code, where they call functions. Their edits by diff (replace_in_file, apply_diff) stay unmapped. */
export const CLINE = String.raw`
tools:
  execute_command:
    verb: execute_command
    arguments: { command: command, working_directory: { from: cwd, path: true } }
    ignore: [requires_approval, timeout, task_progress]
  read_file:
    verb: read_file
    arguments: { path: { from: path, path: true } }
    ignore: [task_progress]
    result: { fails: ['(?i)error reading file', '(?i)file not found'] }
  write_to_file:
    verb: fs.writeFile
    arguments: { path: { from: path, path: true }, content: content }
    ignore: [line_count, task_progress]
  list_files:
    verb: list_directory
    arguments: { path: { from: path, path: true }, recursive: recursive }
    ignore: [task_progress]
  search_files:
    verb: search_files
    arguments:
      query: regex
      regex: { value: true }
      path: { from: path, path: true }
      pattern: file_pattern
    ignore: [task_progress]
  replace_in_file: { unmapped: its diffs are not read }
  apply_diff: { unmapped: its diffs are not read }
  ask_followup_question: { skip: it asks the user }
  attempt_completion: { skip: it ends the conversation }
  plan_mode_respond: { skip: it talks to the user }
  update_todo_list: { skip: it keeps a list of the model's own }
  switch_mode: { skip: it changes the mode of the harness }
`
