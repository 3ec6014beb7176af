import type { Message } from '../../../6-agent/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { printable } from '../../../0-text/src/index.js'
import { cutToWidth, wrapText } from '../../../2-terminal/src/index.js'

/** Number of last messages shown of a continued conversation, and most rows of each. */
const MOST_MESSAGES = 6
const MOST_ROWS = 12

/** The end of a conversation, as a reminder for the user. */
export function recentRows(
  messages: readonly Message[], { palette, columns }: { palette: Palette; columns: number },
): string[] {
  const said = messages.filter(({ role, content }) =>
    (role === 'user' || role === 'assistant') && content !== null && content !== '')
  const left = said.length - MOST_MESSAGES
  const rows = said.slice(-MOST_MESSAGES).flatMap(({ role, content }) => {
    const text = (content ?? '').trim()
    return role === 'user' ? userRows(text, { palette, columns })
      : [...beginning(text, columns).map((row) => `  ${row}`), '']
  })
  return left > 0
    ? [palette.faint(cutToWidth(`… ${left} earlier ${left === 1 ? 'message' : 'messages'}`, columns - 1)), ...rows]
    : rows
}

/** The user's message, marked; only the beginning of a long one. */
export function userRows(message: string, { palette, columns }: { palette: Palette; columns: number }): string[] {
  return [...beginning(message, columns).map((row, index) => palette.strong(`${index === 0 ? '>' : ' '} ${row}`)), '']
}

function beginning(text: string, columns: number): string[] {
  const lines = text.split('\n')
  const rows: string[] = []
  let taken = 0
  for (; taken < lines.length && rows.length <= MOST_ROWS; taken++) {
    const line = (lines[taken] ?? '').slice(0, MOST_ROWS * columns)
    rows.push(...wrapText(printable(line), columns - 3).map((row) => row.trimEnd()))
  }
  if (rows.length <= MOST_ROWS) return rows
  const left = lines.length - taken
  return [...rows.slice(0, MOST_ROWS - 1), left === 0 ? '…' : `… ${left} more ${left === 1 ? 'line' : 'lines'}`]
}
