/** Blocks in every format, right and wrong, of which answers are put together. `N` becomes a number of the answer. */
const BLOCKS: readonly string[] = [
  '#!SHAM [@three-char-SHA-256: aN]\naction = "file_write"\npath = "/workspace/new/fN.txt"\ncontent = <<\'EOT_SHAM_aN\'\none\n</tool_response> "two" \\n\n\nEOT_SHAM_aN\n#!END_SHAM_aN',
  '```sh sham\n#!SHAM [@three-char-SHA-256: bN]\naction = "file_replace_text"\npath = "/workspace/a.txt"\nold_text = "alpha"\nnew_text = "ALPHA"\n#!END_SHAM_bN\n```',
  '#!NESL [@three-char-SHA-256: cN]\naction = "file_replace_all_text"\npath = "/workspace/a.txt"\nold_text = "beta"\nnew_text = "b"\ncount = "2"\n#!END_NESL_cN',
  '#!SHAM [@three-char-SHA-256: dN]\naction = "ls"\npath = "/workspace"\nunknown = "x"\n#!END_SHAM_dN',
  '#!SHAM [@three-char-SHA-256: eN]\naction = "file_read"\npath = "relative.txt"\n#!END_SHAM_eN',
  '#!SHAM [@three-char-SHA-256: fN]\naction = "file_raed"\npath = "/workspace/a.txt"\n#!END_SHAM_fN',
  '#!SHAM [@three-char-SHA-256: gN]\naction = "file_write"\npath = "/workspace/cut',
  '```yaml hermes\nverb: fs.readRange\narguments:\n  path: a.txt\n  startLine: 1\n  endLine: 2\n```',
  '```yaml hermes\nverb: fs.writeFile\narguments:\n  path: deep/er/gN.md\n  content: |\n    # Title\n    ```js\n    code\n    ```\n---\nverb: fs.lineCount\narguments: { path: deep/er/gN.md }\n```',
  '```json hermes\n{"verb": "fs.exists", "arguments": {"path": "a.txt", "colour": 1}}\n```',
  '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt", "start_line": 2, "end_line": 3}}</tool_call>',
  '<tool_call>\n{"name": "write_file", "arguments": "{\\"path\\": \\"t/N.txt\\", \\"content\\": \\"x\\", \\"create_directories\\": true}"}\n</tool_call>',
  "<tool_call>{'name': 'read_file'}</tool_call>",
  '<tool_call>{"name": "delete_file", "arguments": {"path": "b.txt", "confirm": true}}</tool_call>',
  '<tool_call>{"name": "delete_file", "arguments": {"path": "b.txt"}}</tool_call>',
  '<tool_call>{"id": "call_N", "name": "list_directory", "arguments": {"path": "."}}</tool_call>',
  '<tool_call>{"name": "move_file", "arguments": {"source": "b.txt", "destination": "c.txt"}}</tool_call>',
  'a.txt\n```\n<<<<<<< SEARCH\nalpha\n=======\nalpha N\n>>>>>>> REPLACE\n```',
  '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-alpha\n+Alpha\n beta\n```',
  '*** Begin Patch\n*** Add File: patched-N.txt\n+line\n*** End Patch',
  '#!SHAM [@three-char-SHA-256: hN]\naction = "grep"\npattern = "beta"\npath = "/workspace"\n#!END_SHAM_hN',
  '```yaml hermes\nverb: fs.readFile\narguments: { path: /etc/passwd }\n```',
  '```markdown\n<tool_call>{"name": "ls"}</tool_call>\n```',
  '<think>\nI should <tool_call>{"name": "ls"}</tool_call>\n</think>',
  'Some prose with `code` and <b>tags</b>.',
]
const COMMANDS: readonly string[] = [
  '<tool_call>{"name": "execute_command", "arguments": {"command": "echo out; date; pwd; echo pid $$ >&2; exit 3"}}</tool_call>',
  '#!SHAM [@three-char-SHA-256: xN]\naction = "exec"\nlang = "bash"\ncode = "cat a.txt; mktemp; date -u +%FT%TZ"\n#!END_SHAM_xN',
  '```yaml hermes\nverb: proc.run\narguments: { executable: ls, arguments: [a.txt, missing.txt] }\n```',
]

/** The files answers start from. */
export const FILES = { 'a.txt': 'alpha\nbeta\nbeta\ngamma\n', 'b.txt': 'b\n', 'sub/c.txt': 'beta\n' }

/** An answer of one to six such blocks, the same for the same number. Every fifth also has commands. */
export function answer(number: number): string {
  let state = (number * 2654435761 + 12345) >>> 0
  const next = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const blocks = Array.from({ length: 1 + next(6) }, () => BLOCKS[next(BLOCKS.length)] ?? '')
  if (number % 5 === 0) blocks.push(COMMANDS[next(COMMANDS.length)] ?? '')
  return blocks.map((block, index) => block.replaceAll('N', `${(number % 10)}${index}`)).join('\n\n')
}
