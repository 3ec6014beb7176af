import { foldLines } from '../../../0-text/src/index.js'
import { DEFAULT_COLUMNS, lookUp, prompt, type Terminal } from './terminal-prompt.js'

/** What the question below the last page takes, in rows. */
const QUESTION_ROWS = 4
/** A page has at least so many, however low the terminal is. */
const LEAST_ROWS = 8
const REPLIES: Readonly<Record<string, 'more' | 'deny'>> = {
  m: 'more', more: 'more', '': 'more', d: 'deny', deny: 'deny',
}

/**
 * Shows a text that is to be approved, page by page where it is longer than the terminal: what could be answered is
 * asked below its last page only, when all of it has been shown.
 *
 * @returns the last page, not yet shown; `deny` where the user said so before; `undefined` without a clear answer
 * @throws HermesError `CANCELLED`
 */
export async function paged(
  terminal: Terminal, text: string, signal: AbortSignal,
): Promise<{ last: string } | 'deny' | undefined> {
  const lines = foldLines(text, terminal.output.columns || DEFAULT_COLUMNS).split(/(?<=\n)/)
  const size = Math.max((terminal.output.rows || 24) - QUESTION_ROWS, LEAST_ROWS)
  for (; lines.length > size; lines.splice(0, size)) {
    const answer = await prompt(terminal, {
      text: lines.slice(0, size).join(''),
      question: `${lines.length - size} more lines: [m]ore [d]eny (Enter: more) `,
      read: reply => lookUp(REPLIES, reply),
      help: 'Type m or d.',
    }, signal)
    if (answer !== 'more') return answer
  }
  return { last: lines.join('') }
}
