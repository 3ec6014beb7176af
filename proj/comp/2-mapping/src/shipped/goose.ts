/** goose: its developer extension, `crates/goose-mcp/src/developer` of block/goose, whose name may stand in front. */
export const GOOSE = String.raw`
tools:
  shell:
    - when: { background: [false, null] }
      verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout_secs, plus: 0 }
      result: { text: [stdout, stderr] }
    - unmapped: it goes on in the background
  text_editor:
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
    - when: { command: write }
      verb: fs.writeFile
      arguments: { path: { from: path, path: true }, content: file_text }
    - when: { command: str_replace, diff: { present: true } }
      unmapped: its diff is no patch that names its file
    - when: { command: str_replace }
      verb: file_replace_text
      arguments: { path: { from: path, path: true }, old_text: old_str, new_text: new_str }
    - when: { command: insert }
      verb: fs.writeRange
      arguments:
        path: { from: path, path: true }
        startLine: { from: insert_line, plus: 1 }
        content: new_str
  write:
    verb: fs.writeFile
    arguments: { path: { from: path, path: true }, content: content }
  edit:
    verb: file_replace_text
    arguments: { path: { from: path, path: true }, old_text: before, new_text: after }
  tree:
    verb: list_directory
    arguments: { path: { from: path, path: true, default: '.' }, recursive: { value: true }, max_depth: depth }
  analyze: { unmapped: no verb analyzes code as goose does }
  screen_capture: { unmapped: hermes shows no images }
  image_processor: { unmapped: hermes shows no images }
  list_windows: { unmapped: hermes shows no images }
  developer__shell: { same_as: shell }
  developer__text_editor: { same_as: text_editor }
  developer__write: { same_as: write }
  developer__edit: { same_as: edit }
  developer__tree: { same_as: tree }
  developer__analyze: { same_as: analyze }
  todo__todo_write: { skip: it keeps a list of the model's own }
`
