/** Texts that make a careless scanner slow, each of about `size` characters. */
import { flat } from './answers.mjs'

const HEADER = '#!SHAM [@three-char-SHA-256: abc]'

const PIECES = {
  'blank lines': '\n',
  'one long line': 'x',
  'one long line of backticks': '`',
  'one long line of exclamation marks': '!',
  'one long line of angle brackets': '<',
  'one long line of # !': '# !',
  'one long line of [@': '[@',
  'one long line of closing tags': '</think>',
  'one long line of tool call tags': '`<tool_call>` ',
  'list items': '- item\n',
  'ordered list items': '1. item\n',
  'fence openers': '```ts\n',
  'fence openers in a list': '- ```ts\n',
  'glued fences': '```sh\n``````sh\n',
  'tildes': '~~~\n',
  'fences that say hermes wrongly': '```yaml,hermes\nverb: x\n```\n',
  'empty envelopes': '```yaml hermes\n```\n',
  'headers': `${HEADER}\n`,
  'headers that are misspelt': '#!sham abc\n',
  'headers in fences': `\`\`\`ts\n${HEADER}\n\`\`\`\n`,
  'end markers': '#!END_SHAM_abc\n',
  'block quotes': '> quoted\n',
  'block quotes of headers': `> ${HEADER}\n`,
  'open heredocs': `${HEADER}\nkey = <<'EOT_SHAM_abc'\n`,
  'heredocs with other ids': `${HEADER.replace('abc', 'xyz')}\nkey = <<'EOT_SHAM_abc'\n#!END_SHAM_xyz\n`,
  'malformed lines': 'key := value\n',
  'comments': '<!-- a\n-->\n',
  'open comments': '<!--\n',
  'think sections': '<think>\n</think>\n',
  'tool calls that are cut off': '<tool_call>{"name": "x"\n',
  'indented code': '    code\n',
  'carriage returns': 'a\r\n',
}

/** @returns name and text of each */
export function adversarial(size) {
  const texts = Object.entries(PIECES)
    .map(([name, piece]) => [name, flat(piece.repeat(Math.ceil(size / piece.length)))])
  const depth = 400
  const quotes = `${'>'.repeat(depth)} deep\n`
  return [
    ...texts,
    ['malformed lines in a block', flat(`${HEADER}\n${'key := value\n'.repeat(size / 13)}#!END_SHAM_abc\n`)],
    ['deep quotes', flat(quotes.repeat(Math.ceil(size / quotes.length)))],
    ['deep lists', flat(`${'- '.repeat(200)}x\n`.repeat(Math.ceil(size / 402)))],
    [
      'a heredoc full of its own delimiter',
      flat(`${HEADER}\nkey = <<'EOT_SHAM_abc'\n${' x EOT_SHAM_abc\n'.repeat(size / 16)}`),
    ],
  ]
}
