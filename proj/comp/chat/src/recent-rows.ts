import type { Message } from '../../agent/src/index.js'
import type { Palette } from '../../reports/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import { cutToWidth, wrapText } from './text-width.js'

/** Of a conversation that is gone on with: its last messages, and the rows of each. */
const MOST_MESSAGES = 6
const MOST_ROWS = 12

/** The end of a conversation, so that the user knows where it stood. */
export function recentRows(messages: readonly Message[], { palette, columns }: { palette: Palette; columns: number }): string[] {
  const said = messages.filter(({ role, content }) => (role === 'user' || role === 'assistant') && content !== null && content !== '')
  const left = said.length - MOST_MESSAGES
  const rows = said.slice(-MOST_MESSAGES).flatMap(({ role, content }) => {
    const all = (content ?? '').trim().split('\n').flatMap((line) => wrapText(escapeControls(line).replaceAll('\t', '    '), columns - 3))
    const shown = all.length > MOST_ROWS ? [...all.slice(0, MOST_ROWS - 1), `… ${all.length - MOST_ROWS + 1} more lines`] : all
    const marked = shown.map((row, index) => `${role === 'user' && index === 0 ? '> ' : '  '}${row.trimEnd()}`)
    return [...marked.map((row) => (role === 'user' ? palette.strong(row) : row)), '']
  })
  return left > 0 ? [palette.faint(cutToWidth(`… ${left} earlier ${left === 1 ? 'message' : 'messages'}`, columns - 1)), ...rows] : rows
}
