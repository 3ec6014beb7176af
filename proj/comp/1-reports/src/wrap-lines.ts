/** What begins the rest of a broken line: nothing that begins a line of its own looks so. */
const MARK = '      ┆ '
const LEAST = 40
/** Colours take no room. What is safe to print holds no other escapes. */
const TOKENS = /\u001b\[[\d;]*m|[^]/gu

/**
 * Breaks lines at the width of the terminal, so that it does not: the rest of a long line of a file, a command or a
 * model would begin in the first column, where results do.
 *
 * @param columns of the terminal; `undefined` where there is none
 */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  const width = Math.max(columns, LEAST)
  return text.split('\n').map(line => (line.length < width && isAscii(line) ? line : wrap(line, width))).join('\n')
}

/** At the last space of the line's second half, where there is one. */
function wrap(line: string, width: number): string {
  let out = ''
  let current = ''
  let used = 0
  let space = { end: 0, used: 0 }
  for (const [token] of line.matchAll(TOKENS)) {
    const room = token.startsWith('\u001b') ? 0 : isAscii(token) ? 1 : token === '\t' ? 8 : 2
    if (used + room > width) {
      const cut = space.used > width / 2 ? space : { end: current.length, used }
      out += `${current.slice(0, cut.end)}\n`
      current = MARK + current.slice(cut.end)
      used += MARK.length - cut.used
      space = { end: 0, used: 0 }
    }
    current += token
    used += room
    if (token === ' ') space = { end: current.length, used }
  }
  return out + current
}

/** All else may take two columns; a tab as many as eight. */
function isAscii(text: string): boolean {
  return /^[\u0020-\u007e]*$/.test(text)
}
