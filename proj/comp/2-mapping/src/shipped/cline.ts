/** Cline: `src/core/prompts/system-prompt/tools` of cline/cline. Its edits are read as one patch of whole lines. */
export const CLINE = String.raw`
ignore: [task_progress]
tools:
  execute_command:
    verb: execute_command
    arguments:
      command: command
      working_directory: { from: cwd, path: true }
      timeout_seconds: timeout
    ignore: [requires_approval]
  read_file:
    verb: read_file
    arguments:
      path: { from: path, path: true }
      start_line: start_line
      end_line: end_line
    result: { fails: ['(?i)error reading file', '(?i)file not found'] }
  write_to_file:
    verb: fs.writeFile
    arguments: { path: { from: path, path: true }, content: content }
    ignore: [line_count]
  replace_in_file:
    verb: apply_patch
    arguments: { patch: { from: diff, sections_of: path } }
  apply_patch:
    verb: apply_patch
    arguments: { patch: input }
  list_files:
    verb: list_directory
    arguments: { path: { from: path, path: true }, recursive: recursive }
  search_files:
    verb: search_files
    arguments:
      query: regex
      regex: { value: true }
      case_sensitive: { value: true }
      path: { from: path, path: true }
      pattern: file_pattern
  list_code_definition_names:
    verb: symbol_outline
    arguments: { path: { from: path, path: true } }
  browser_action: { unmapped: there are no verbs for the web }
  web_fetch: { unmapped: there are no verbs for the web }
  use_mcp_tool: { unmapped: 'a tool of a server is called as mcp.SERVER.TOOL' }
  access_mcp_resource: { unmapped: no verb reads resources of servers }
  new_task: { unmapped: there is no other agent }
  ask_followup_question: { skip: it asks the user }
  attempt_completion:
    - when: { command: [null, ''] }
      skip: it ends the conversation
    - skip: it ends the conversation; the command that would show the result is not run
  plan_mode_respond: { skip: it talks to the user }
  act_mode_respond: { skip: it talks to the user }
`
