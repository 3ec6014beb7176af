import fc from 'fast-check'

/** Lines made of what edit formats take for special, well and badly written, and of what quotes it. */
const LINES = [
  'src/a.py', '`src/b.py`', '**c.md**:', '# d.js', 'See e.ts for more.', 'Node.js:', '<<<<<<< SEARCH', '<<<<<<< SEARCH', '<<<<< SEARCH', '<<<<<<<<< SEARCH',
  '<<<<<<< SEARCH f.go', '<<<<<<< search', '------- SEARCH', '=======', '=======', '=========', '>>>>>>> REPLACE', '>>>>>>> REPLACE', '>>>>> REPLACE', '+++++++ REPLACE',
  '>>>>>>> REPLACE <<<<<<< SEARCH', '*** Begin Patch', '*** Begin Patch', '*** End Patch', '*** End Patch', '*** begin patch', '*** Update File: a', '*** End of File', "apply_patch <<'EOF'",
  "cd x && apply_patch <<'EOF'", 'EOF', '["apply_patch", "*** Begin Patch\\n*** Delete File: a\\n*** End Patch"]', '["apply_patch", "*** Begin Patch', 'diff --git a/x b/x',
  'index 1..2 100644', '--- a/x', '+++ b/x', '--- a/x', '+++ b/x', '--- y', '@@ -1 +1 @@', '@@ -1,3 +1,3 @@', '@@ ... @@', '@@', '-old', '+new', ' same', '\\ No newline at end of file',
  'rename from a', 'deleted file mode 100644', '```', '```', '````', '```diff', '```python', '```python src/g.py', '```sh', '```markdown', '~~~', '~~~patch', '<source>', '</source>',
  '```yaml hermes', 'verb: ls', '#!SHAM [@three-char-SHA-256: abc]', "content = <<'EOT_SHAM_abc'", 'EOT_SHAM_abc', '#!END_SHAM_abc', '<tool_call>{"name": "ls"}</tool_call>', '<think>', '</think>',
  '```save a.md', '```patch a.md', '<<<<<<< ORIGINAL', '```tool_code', 'print(ls(path="a"))', '```shell', '```bash', '```py', '```<end_code>', '<code>', '</code>', '<PlandexBlock lang="go" path="a.go">', '</PlandexBlock>', '// filepath: src/h.ts',
  'Action:', 'Action: ls', 'Action Input: {"x": 1}', 'Action Input: {"x": [', 'Observation: x', '@save(1): {"path": "a"}', '@shell(2): {', '{"name": "a", "arguments": {"x": 1}}',
  '{"name": "a",', '"arguments": {}', '"name": "b", "parameters": {"x": 1}', '{', '}', '}}', '[', ']', '[{"name": "c", "arguments": {}}, {"tool": "d", "args": {}}]', '[f(a="x"), g()]', '[f(a="x",',
  '```json', '```json', '<!--', '-->', '', '', '', 'prose', 'A longer line of prose that is there so that there is something to pass over, twice over.',
]
const INDENTS = ['', '', '', '', '', '', ' ', '   ', '    ', '> ', '- ', '  ']
const ENDS = ['\n', '\n', '\n', '\n', '\n', '\r\n', ' \n']

/** A text of such lines in any order. */
export const editSoup: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...INDENTS), fc.constantFrom(...LINES), fc.constantFrom(...ENDS)), { maxLength: 40 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''))
