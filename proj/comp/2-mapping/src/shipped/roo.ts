import { newFile, replaceRules, USUAL } from './edit-rules.js'

/**
 * Roo Code, which began as Cline: what is not named here is as in `cline.ts`. The tools are those of
 * `src/core/prompts/tools`, and of `native-tools` in it, of RooCodeInc/Roo-Code. An edit of `apply_diff` is looked for
 * by its lines: the number behind `:start_line:` is not asked.
 */
export const ROO = String.raw`
extends: [cline]
tools:
  read_file:
    - when: { files: { present: true } }
      verb: files_read
      arguments: { paths: { from: files, each: path, path: true, join: "\n" } }
    - when: { mode: indentation }
      unmapped: no verb reads by indentation
    - verb: read_file
      arguments:
        path: { from: path, path: true }
        start_line: { from: offset, unless: 0 }
        end_line: { from: limit, beyond: offset }
      ignore: [mode]
      result: { fails: ['(?i)error reading file', '(?i)file not found'] }
  apply_diff:
    verb: apply_patch
    arguments: { patch: { from: diff, sections_of: path } }
  apply_patch:
    verb: apply_patch
    arguments: { patch: patch }
  insert_content:
    - when: { line: 0, path: { is: unfinished } }
      verb: file_append
      arguments: { path: { from: path, path: true }, content: { from: content, format: "\n{}", newline: true } }
    - when: { line: 0 }
      verb: file_append
      arguments: { path: { from: path, path: true }, content: { from: content, newline: true } }
    - verb: fs.writeRange
      arguments: { path: { from: path, path: true }, startLine: line, content: content }
  search_replace:
    verb: file_replace_text
    arguments: { path: { from: file_path, path: true }, old_text: old_string, new_text: new_string }
  edit:
${replaceRules(USUAL)}
  search_and_replace:
    - when: { search: { present: true }, use_regex: [false, null], ignore_case: [false, null] }
      verb: file_replace_all_text
      arguments: { path: { from: path, path: true }, old_text: search, new_text: replace }
      ignore: [use_regex, ignore_case]
    - when: { search: { present: true } }
      unmapped: no verb replaces what a pattern finds
    - same_as: edit
  edit_file:
    - when: { old_string: '' }
      ${newFile('file_path', 'new_string')}
      ignore: [expected_replacements]
    - verb: file_replace_text
      arguments:
        path: { from: file_path, path: true }
        old_text: old_string
        new_text: new_string
        count: expected_replacements
  codebase_search:
    verb: semantic_search
    arguments: { query: query, path: { from: path, path: true } }
  fetch_instructions: { unmapped: no verb has instructions of Roo Code }
  update_todo_list: { skip: it keeps a list of the model's own }
  switch_mode: { skip: it changes the mode of the harness }
`
