import { escapeControls } from '../../../0-text/src/index.js'
import { plural, renderTerminal } from '../../../1-reports/src/index.js'
import type { Submission } from './submission.js'

/** Of blocks, and of errors. */
const MOST_LISTED = 20

/** What there is to run, or to mend, once a text was added. */
export function pastedLines(
  text: string, { answer, blocks, errors, hasAny, isOpen }: Submission, colour: boolean,
): string {
  const faulty = new Set(errors.map(({ startLine }) => startLine)).size
  const count = `${plural(blocks.length, 'block')}${faulty === 0 ? '' : `, and ${faulty} that did not parse`}`
  const listed = blocks.slice(0, MOST_LISTED)
    .map(({ id, action }) => `  ${short(id, 40).padEnd(4)} ${short(action, 60)}\n`)
  const unread = errors.slice(0, MOST_LISTED).map((error) => renderTerminal({ type: 'parse-error', error }, { colour }))
  const isMendable = typeof answer === 'string' && errors.some(({ error }) => error.fix !== undefined)
  const next = isOpen ? 'A block is open: paste or type the rest.'
    : hasAny ? 'Enter runs it; /diff shows what it would change, /show the text, /drop forgets it.'
    : 'There is no block in it. Go on, or /drop.'
  return [
    `Pasted ${lineCount(text)}, ${count}${blocks.length + faulty === 0 ? '' : ':'}\n`,
    ...listed, more(blocks.length), ...unread, more(errors.length),
    isMendable ? 'What did not parse can be mended: /mend.\n' : '', `${next}\n`,
  ].join('')
}

function more(count: number): string {
  return count > MOST_LISTED ? `  and ${count - MOST_LISTED} more\n` : ''
}

export function lineCount(text: string): string {
  const count = text.replace(/\n$/, '').split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}

export function short(text: string, length: number): string {
  return escapeControls(text.slice(0, length)).slice(0, length)
}
