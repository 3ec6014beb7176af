import fc from 'fast-check'

/** Lines made of everything the scanner takes for special, well and badly written. */
const LINES = [
  '#!SHAM [@three-char-SHA-256: abc]', '#!SHAM [@x: xyz]', '#!NESL [@x: abc]', '#!nesl [@x: abc]', '#!END_SHAM_abc', '#!END_SHAM_xyz',
  '#!END_NESL_abc', '#!end_abc', '#! SHAM [@x: abc]', '#!sham', '#!END_SHAM', '#!SHAM [@x: a]', '#!SHAM abc', 'action = "ls"', 'path = "/a"',
  "content = <<'EOT_SHAM_abc'", "content = <<'EOT_SHAM_xyz'", "content = <<'EOT_abc'", 'content = <<EOF', 'x := <<', 'a << b', 'EOT_SHAM_abc', 'EOT_SHAM_xyz', 'EOT_abc', 'EOF',
  'text EOT_SHAM_abc', '```', '````', '```sh', '```sh sham', '```yaml hermes', '```json hermes', '``````sh sham', '```markdown', '~~~', '~~~ hermes',
  'verb: ls', 'arguments:', '  path: /a', '---', '- verb: ls', '{"verb": "ls"}', '<tool_call>', '</tool_call>', '<tool_call>{"name": "ls"}</tool_call>',
  '<tool_call>{"name": "ls", "arguments": {"path": "</tool_call>"}}', '{"name": "ls"}', '{"name": "l', '"}', 'x <tool_call>{', '<think>', '</think>', 'done</think>',
  '</thinking> <tool_call>{"name":"ls"}</tool_call>', '<reasoning>', '<!--', '-->', '<!-- x -->', '> quote', '- item', '1. item', '', '', 'prose', 'Sentence <b>.',
  '<function=ls>', '<parameter=path>', 'x </parameter>', '</parameter>', '</function>', '<function=ls>{"path": "a"}', '<tool_call>ls', '<arg_key>k</arg_key>', '<arg_value>v',
  '</arg_value>', '<function_calls>', '</function_calls>', '<invoke name="ls">', '[TOOL_CALLS][{"name": "a", "arguments": {}}]', '[TOOL_CALLS]a[ARGS]{"x": [', '<|python_tag|>a.b(c="d",',
  '<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>a<｜tool▁sep｜>{"x": 1}', '<｜tool▁call▁end｜>', '<|channel|>analysis<|message|>', '<|channel|>commentary to=functions.a <|message|>{}', '<|channel|>analysis to=functions.a code<|message|>{}', '<lov-rename original_file_path="a" new_file_path="b" />', '>>>write_file', '<|end|>',
]
const INDENTS = ['', '', '', '', ' ', '   ', '    ', '\t', '> ', '- ', '  ']
const ENDS = ['\n', '\n', '\n', '\n', '\r\n', ' \n', '\t\n', '\r']

/** A text of marker lines in any order, indented and ended in any way. */
export const markerSoup: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...INDENTS), fc.constantFrom(...LINES), fc.constantFrom(...ENDS)), { maxLength: 30 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''))

/** A text and the places to cut it at. */
export function cut(text: string, seed: readonly number[]): string[] {
  const places = [...new Set(seed.map((number) => number % (text.length + 1)))].sort((a, b) => a - b)
  return [...places, text.length].map((place, index) => text.slice(index === 0 ? 0 : places[index - 1], place))
}
