/** gptme: `gptme/tools` of gptme/gptme, as it calls functions. Files that it saves end with a line break. */
export const GPTME = String.raw`
tools:
  shell:
    verb: execute_command
    arguments: { command: command }
    result: { text: [stdout, stderr] }
  save:
    verb: fs.writeFile
    arguments: { path: { from: path, path: true }, content: { from: content, newline: true } }
  append:
    - when: { path: { is: unfinished } }
      verb: file_append
      arguments: { path: { from: path, path: true }, content: { from: content, format: "\n{}", newline: true } }
    - verb: file_append
      arguments: { path: { from: path, path: true }, content: { from: content, newline: true } }
  patch:
    verb: apply_patch
    arguments: { patch: { from: patch, sections_of: path } }
  read:
    - when: { path: { is: directory } }
      verb: list_directory
      arguments: { path: { from: path, path: true } }
    - verb: read_file
      arguments: { path: { from: path, path: true }, start_line: start_line, end_line: end_line }
  ipython: { unmapped: it needs the state of a notebook }
  tmux: { unmapped: no program goes on between calls }
  browser: { unmapped: there are no verbs for the web }
  subagent: { unmapped: there is no other agent }
  complete: { skip: it ends the conversation }
  todo: { skip: it keeps a list of the model's own }
`
