import { callText, shamBlock } from '../registry/index.js'
import type { PromptFormat } from './prompt-options.js'

export interface Teaching {
  /** A short description of the format. */
  intro: string
  rules(root: string, relativePaths: boolean): readonly string[]
  /** @param index 0-based number of the example */
  example(verb: string, args: Record<string, unknown>, index: number): string
  /** Shown where there is no example; quoted, so that it is not live. */
  form: string
}

/** Example ids, a different one for each block. */
const IDS = ['k3f', 'p9w', 'm2c', 'r4t', 'x1q', 'h8n']
export const MARKDOWN = 'A block that is only shown stands in a `markdown` fence with more backticks than any in it.'

export const TOOL_CALL_PLACE = 'Begin a call at the start of a line, outside of every code fence, quote and comment.'
export const STRICT_JSON = 'Strict JSON: double quotes, no comments, no comma after the last entry; in texts `\\n` for '
  + 'a line break, `\\"` for a quote, `\\\\` for a backslash.'

/** What a model has to know to write each format. */
export const TEACHING: Readonly<Record<PromptFormat, Teaching>> = {
  sham: {
    intro: 'A block begins with a `#!SHAM` header and ends with the end marker of the same id. Between them stands one '
      + '`name = value` a line, first the `action`.',
    rules: (root, relativePaths) => [
      'Header, lines and end marker begin at the start of a line. No code fence is needed; one of language `sham` may '
      + 'stand around a block. In other fences, quotes and comments nothing runs.',
      'The id is 2 to 8 letters or digits, another one for each block.',
      'A value of one line stands in double quotes, with `\\"` for a quote and `\\\\` for a backslash.',
      "A value of several lines is a heredoc: `<<'EOT_SHAM_id'`, the lines, and `EOT_SHAM_id` alone on a line. Nothing "
      + 'in it is escaped: quotes, backslashes, fences and other blocks are plain text.',
      'The last line break of a heredoc is not part of the value: for a file that ends with a newline leave an empty '
      + 'line before the terminator.',
      'All values are text: numbers, `true` and `false` stand in quotes too; a list has an item a line; an object is '
      + 'JSON.',
      relativePaths ? `Paths are absolute (the project is ${root}), or relative to the project.`
        : `Paths are absolute; the project is ${root}.`,
      MARKDOWN,
    ],
    example: (verb, args, index) => shamBlock(IDS[index % IDS.length] ?? 'abc', verb, args),
    form: [
      '#!SHAM [@three-char-SHA-256: abc]', 'action = "NAME"', 'parameter = "value"', '#!END_SHAM_abc',
    ].join('\n'),
  },
  envelope: {
    intro: 'A block is a code fence with the info string `yaml hermes`. It holds `verb` and `arguments`, in YAML.',
    rules: (root) => [
      'The fence must say `yaml hermes`: a plain `yaml`, `json` or `bash` fence never runs. It must not stand '
      + 'inside another fence, a quote or a comment.',
      'Several calls in one fence are separated by a line `---`.',
      'Text of several lines is a block scalar: `|` keeps the last newline, `|-` leaves it out. Indent all its lines.',
      'Quote what YAML reads as something else: `"yes"`, `"1.0"`, `"null"`, and text that begins with `*`, `&`, `!`, '
      + '`%`, `@`, `[`, `{` or holds `: ` or ` #`.',
      'No anchors, aliases, tags or merge keys.',
      `Relative paths start at the project, ${root}.`,
      MARKDOWN,
    ],
    example: (verb, args) => callText('envelope', '', verb, args),
    form: '```yaml hermes\nverb: NAME\narguments:\n  parameter: value\n```',
  },
  tool_call: {
    intro: 'A block is `<tool_call>`, a JSON object with `name` and `arguments`, and `</tool_call>`.',
    rules: (root) => [
      TOOL_CALL_PLACE, STRICT_JSON, 'One call each; several follow one another.',
      `Relative paths start at the project, ${root}; \`..\` is not allowed.`,
      MARKDOWN,
    ],
    example: (verb, args) => callText('tool_call', '', verb, args),
    form: '<tool_call>{"name": "NAME", "arguments": {"parameter": "value"}}</tool_call>',
  },
}
