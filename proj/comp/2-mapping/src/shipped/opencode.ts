import { newFile, replaceRules } from './edit-rules.js'

/** opencode: `packages/opencode/src/tool` of sst/opencode (anomalyco/opencode). */
export const OPENCODE = String.raw`
tools:
  bash:
    verb: execute_command
    arguments:
      command: command
      working_directory: { from: workdir, path: true }
      timeout_seconds: { from: timeout, times: 0.001 }
    ignore: [description]
    result: { text: [stdout, stderr] }
  read:
    - when: { filePath: { is: directory } }
      verb: list_directory
      arguments: { path: { from: filePath, path: true } }
      omit: [offset, limit]
    - verb: read_file
      arguments:
        path: { from: filePath, path: true }
        start_line: { from: offset, unless: 0 }
        end_line: { from: limit, beyond: offset }
      result: { fails: ['^Error'] }
  write:
    verb: fs.writeFile
    arguments: { path: { from: filePath, path: true }, content: content }
  edit:
    - when: { oldString: '' }
      ${newFile('filePath', 'newString')}
      ignore: [replaceAll]
${replaceRules({ path: 'filePath', old: 'oldString', fresh: 'newString', all: 'replaceAll' })}
  multiedit:
    - when: { edits: { present: true } }
      opens: edits
      as: edit
  apply_patch:
    verb: apply_patch
    arguments: { patch: patchText }
  patch: { same_as: apply_patch }
  glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  grep:
    verb: search_files
    arguments:
      query: pattern
      regex: { value: true }
      case_sensitive: { value: true }
      path: { from: path, path: true, default: '.' }
      pattern: include
  list:
    verb: list_directory
    arguments: { path: { from: path, path: true, default: '.' } }
    omit: [ignore]
  webfetch: { unmapped: there are no verbs for the web }
  websearch: { unmapped: there are no verbs for the web }
  task: { unmapped: there is no other agent }
  todowrite: { skip: it keeps a list of the model's own }
  todoread: { skip: it keeps a list of the model's own }
  question: { skip: it asks the user }
`
