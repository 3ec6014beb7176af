import type { Line } from './line.js'
import type { Live } from './live-screen.js'
import { charactersOf, textWidth } from './text-width.js'

const TAB = '    '

/**
 * Lays out the line being typed as terminal rows, with the cursor; of many rows, those around the cursor.
 *
 * @param mark prefix of the first row, one column for each character; the others are indented as much
 */
export function promptRows(line: Pick<Line, 'text' | 'cursor'>, columns: number, most: number, mark = '> '): Live {
  const rest = ' '.repeat(mark.length)
  const width = Math.max(2, columns - 1 - mark.length)
  const { text, cursor, isCut } = around(line, width * most)
  const rows: string[] = []
  let row = ''
  let used = 0
  let at = 0
  let place = { row: 0, column: 0 }
  const close = (): void => {
    rows.push(row)
    row = ''
    used = 0
  }
  const look = (): void => {
    if (at === cursor) place = { row: rows.length, column: used }
  }
  for (const character of charactersOf(text)) {
    const shown = character === '\t' ? TAB : character
    const room = character === '\n' ? 0 : textWidth(shown)
    if (used + room > width) close()
    look()
    if (character === '\n') close()
    else row += shown
    used += room
    at += character.length
  }
  if (used >= width) close()
  look()
  close()
  const first = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most))
  const shown = rows.slice(first, first + most)
  return {
    rows: shown.map((part, index) => `${first + index === 0 && !isCut ? mark : rest}${part}`),
    cursor: { row: place.row - first, column: place.column + mark.length },
  }
}

/** The visible part of a long text, since it is laid out again with each key. */
function around(
  { text, cursor }: Pick<Line, 'text' | 'cursor'>, room: number,
): { text: string; cursor: number; isCut: boolean } {
  if (text.length <= 4 * room) return { text, cursor, isCut: false }
  const from = Math.max(0, cursor - 2 * room)
  return { text: text.slice(from, cursor + 2 * room), cursor: cursor - from, isCut: from > 0 }
}
