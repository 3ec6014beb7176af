import type { Message } from '../../../6-agent/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { printable, escapeControls } from '../../../0-text/src/index.js'
import { cutToWidth, wrapText } from '../../../2-terminal/src/index.js'
import type { HermesError } from '../../../0-contracts/src/index.js'

interface Look {
  palette: Palette
  columns: number
}

/** Number of last messages shown of a continued conversation, and most rows of each. */
const MOST_MESSAGES = 6
const MOST_ROWS = 12

/** The end of a conversation, as a reminder for the user. */
export function recentRows(messages: readonly Message[], { palette, columns }: Look): string[] {
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
export function userRows(message: string, { palette, columns }: Look): string[] {
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

/** Lines that wait, as they are shown. */
const MOST_QUEUED = 3
/** Of a line that waits, before it is cut to the terminal. */
const MOST_LENGTH = 1000

/** Why something could not be done, and what to do about it. */
export function failureRows({ message, hint }: HermesError, { palette, columns }: Look): string[] {
  const rows = (text: string): string[] =>
    text.split('\n').flatMap((line) => wrapText(escapeControls(line), columns - 1)).map((row) => row.trimEnd())
  return [...rows(message).map((row) => palette.bad(row)), ...(hint === undefined ? [] : rows(hint)), '']
}

/** What was typed while something runs: for the next call of the model, and for the time after its answer. */
export function waitingRows(
  steering: readonly string[], queue: readonly string[], { palette, columns }: Look,
): string[] {
  const all = [...steering.map((line) => `at the next call: ${line}`), ...queue.map((line) => `next: ${line}`)]
  return all.slice(0, MOST_QUEUED)
    .map((line) => palette.faint(cutToWidth(escapeControls(line.slice(0, MOST_LENGTH)), columns - 1)))
}
