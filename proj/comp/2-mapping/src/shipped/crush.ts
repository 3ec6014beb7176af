import { newFile } from './edit-rules.js'

/** Crush: `internal/agent/tools` (before: `internal/llm/tools`) of charmbracelet/crush. It counts lines from 0. */
export const CRUSH = String.raw`
tools:
  bash:
    - when: { run_in_background: [false, null] }
      verb: execute_command
      arguments:
        command: command
        working_directory: { from: working_dir, path: true }
        timeout_seconds: { from: timeout, times: 0.001 }
      ignore: [description]
      result: { text: [stdout, stderr] }
    - unmapped: it goes on in the background
  view:
    verb: read_file
    arguments:
      path: { from: file_path, path: true }
      start_line: { from: offset, plus: 1 }
      end_line: { from: limit, beyond: offset, first: 0 }
  write:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
  edit:
    - when: { old_string: ['', null] }
      ${newFile('file_path', 'new_string')}
      ignore: [replace_all]
    - when: { replace_all: true }
      verb: file_replace_all_text
      arguments:
        path: { from: file_path, path: true }
        old_text: old_string
        new_text: { from: new_string, default: '' }
    - when: { replace_all: [false, null] }
      verb: file_replace_text
      arguments:
        path: { from: file_path, path: true }
        old_text: old_string
        new_text: { from: new_string, default: '' }
  multiedit: { opens: edits, as: edit }
  glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  grep:
    - when: { literal_text: true }
      verb: search_files
      arguments:
        query: pattern
        case_sensitive: { value: true }
        path: { from: path, path: true, default: '.' }
        pattern: include
    - when: { literal_text: [false, null] }
      verb: search_files
      arguments:
        query: pattern
        regex: { value: true }
        case_sensitive: { value: true }
        path: { from: path, path: true, default: '.' }
        pattern: include
  ls:
    - when: { depth: { present: true } }
      verb: list_directory
      arguments:
        path: { from: path, path: true, default: '.' }
        recursive: { value: true }
        max_depth: depth
      omit: [ignore]
    - verb: list_directory
      arguments: { path: { from: path, path: true, default: '.' } }
      omit: [ignore]
  job_output: { unmapped: nothing goes on in the background }
  job_kill: { unmapped: nothing goes on in the background }
  download: { unmapped: there are no verbs for the web }
  fetch: { unmapped: there are no verbs for the web }
  sourcegraph: { unmapped: there are no verbs for the web }
  agent: { unmapped: there is no other agent }
  todos: { skip: it keeps a list of the model's own }
`
