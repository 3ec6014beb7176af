/** Answers of any length, made while they are sent. Each kind gives the text of its number-th part, all ASCII. */

const LINES = [
  'The function reads the configuration and returns an object with the merged settings. It is called once at start.',
  'I looked at the failing test: x < y holds as long as a > b, and line `n` is indented (see below).',
  '', '- `src/parser.ts`: the loop now skips blank lines before it looks at the indentation',
  '```ts', 'if (a < 0 || b !== b) throw new RangeError("negative")', '```', '> Quoted remark: this is slow', '',
]
const PROSE = `${LINES.join('\n')}\n`
const CONTENT = 'const value = compute(1, 2) // a line of code here\n'.repeat(16)

export const TEXTS = {
  /** A block after some 100 KB. */
  prose: (number) => `${PROSE.repeat(250)}${block(number, 'do_nothing', { content: CONTENT })}`,
  /** Blocks of 1 KB. */
  blocks: (number) => `One more.\n\n${block(number, 'do_nothing', { content: CONTENT })}`,
  /** 1 KB of prose and a block that looks at a file. */
  looks: (number) => `${PROSE}${PROSE}${block(number, 'fs.exists', { path: 'a.txt' })}`,
}

export function block(number, action, params) {
  const id = number.toString(36).padStart(4, '0')
  const lines = Object.entries(params).map(([name, value]) => (
    value.includes('\n') ? `${name} = <<'EOT_SHAM_${id}'\n${value}EOT_SHAM_${id}\n`
      : `${name} = ${JSON.stringify(value)}\n`
  ))
  return `#!SHAM [@three-char-SHA-256: ${id}]\naction = "${action}"\n${lines.join('')}#!END_SHAM_${id}\n`
}

const PIECE = 65_536

/** Buffers of 64 KB, as a pipe gives them, cut anywhere; after `bytes` up to the end of a part. */
export function* pieces(text, bytes) {
  let rest = ''
  for (let number = 0, sent = 0; sent < bytes; sent += PIECE) {
    for (; rest.length < PIECE; number++) rest += text(number)
    yield Buffer.from(rest.slice(0, PIECE), 'latin1')
    rest = rest.slice(PIECE)
  }
  if (rest.length > 0) yield Buffer.from(rest, 'latin1')
}
