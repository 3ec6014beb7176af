/**
 * Claude Code: the tools of its system prompt and of its SDK (`sdk-tools.d.ts` of `@anthropic-ai/claude-code`). Its
 * reading tools number and cut what they show, so that only success is compared.
 */
export const CLAUDE_CODE = String.raw`
tools:
  Bash:
    - when: { run_in_background: [false, null] }
      verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout, times: 0.001 }
      ignore: [description]
      omit: [dangerouslyDisableSandbox]
      result: { text: [stdout, stderr], answers_by_code: [grep, egrep, fgrep, rg, find, diff, test, '['] }
    - unmapped: it goes on in the background
  Read:
    verb: read_file
    arguments:
      path: { from: file_path, path: true }
      start_line: { from: offset, unless: 0 }
      end_line: { from: limit, beyond: offset }
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File does not exist|EISDIR|ENOENT)'] }
  Write:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read)'] }
  Edit:
    - when: { old_string: '' }
      verb: write_file
      arguments:
        path: { from: file_path, path: true }
        content: new_string
        create_directories: { value: true }
        overwrite: { value: false }
      ignore: [replace_all]
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|Cannot create)'] }
    - when: { replace_all: true }
      verb: file_replace_all_text
      arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|String to replace|Found)'] }
    - when: { replace_all: [false, null] }
      verb: file_replace_text
      arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|String to replace|Found)'] }
  MultiEdit: { opens: edits, as: Edit }
  Glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  Grep:
    - when: { multiline: true, output_mode: content, '-C': { present: true } }
      verb: search_files
      arguments:
        query: { from: pattern, format: '(?s){}' }
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        multiline: { value: true }
        context_before: '-C'
        context_after: '-C'
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B']
    - when: { multiline: true, output_mode: content }
      verb: search_files
      arguments:
        query: { from: pattern, format: '(?s){}' }
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        multiline: { value: true }
        context_before: '-B'
        context_after: '-A'
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline]
    - when: { multiline: true, output_mode: [files_with_matches, null] }
      verb: search_files
      arguments:
        query: { from: pattern, format: '(?s){}' }
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        multiline: { value: true }
        output: { value: files }
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B', '-C']
    - when: { multiline: true, output_mode: count }
      verb: search_files
      arguments:
        query: { from: pattern, format: '(?s){}' }
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        multiline: { value: true }
        output: { value: counts }
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B', '-C']
    - when: { output_mode: content, '-C': { present: true } }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        context_before: '-C'
        context_after: '-C'
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B']
    - when: { output_mode: content }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        context_before: '-B'
        context_after: '-A'
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline]
    - when: { output_mode: [files_with_matches, null] }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        output: { value: files }
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B', '-C']
    - when: { output_mode: count }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        case_sensitive: { from: '-i', not: true, default: false }
        path: { from: path, path: true, default: '.' }
        pattern: glob
        type: type
        output: { value: counts }
        max_results: { from: head_limit, unless: 0 }
        offset: { from: offset, unless: 0 }
      ignore: ['-n', output_mode, multiline, '-A', '-B', '-C']
  LS:
    verb: list_directory
    arguments: { path: { from: path, path: true } }
    omit: [ignore]
  NotebookEdit: { unmapped: hermes does not edit notebooks }
  BashOutput: { unmapped: nothing goes on in the background }
  KillShell: { unmapped: nothing goes on in the background }
  Task: { unmapped: there is no other agent }
  Agent: { unmapped: there is no other agent }
  WebFetch: { unmapped: there are no verbs for the web }
  WebSearch: { unmapped: there are no verbs for the web }
  TodoWrite: { skip: it keeps a list of the model's own }
  EnterPlanMode: { skip: it asks the user }
  ExitPlanMode: { skip: it asks the user }
  AskUserQuestion: { skip: it asks the user }
`
