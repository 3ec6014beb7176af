import { brokenLine, lineRoom } from '../../0-text/src/index.js'

/** What begins the rest of a broken line: nothing that begins a line of its own looks so. */
const MARK = '      ┆ '
const LEAST = 20

/**
 * Breaks lines at the width of the terminal, so that it does not: the rest of a long line of a file, a command or a
 * model would begin in the first column, where results do.
 *
 * @param columns of the terminal; `undefined` where there is none
 */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  const width = Math.max(columns, LEAST)
  return text.split('\n').map(line => (
    lineRoom(line) <= width ? line : brokenLine(line, width, { rest: MARK }).join('\n')
  )).join('\n')
}
