import { escapeControls, printable } from '../../../0-text/src/index.js'
import { duration, type Palette } from '../../../1-reports/src/index.js'
import { cutToWidth } from '../line-editor/index.js'

/** How often the mark of a row turns, in milliseconds. */
export const SPIN_MS = 120
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const INDENT = '    '
/** Of one line, before it is cut to the terminal. */
const MOST_LENGTH = 1000
/** Of the title at least so many columns are shown, however long the time is. */
const LEAST_TITLE = 8

export interface RowLook {
  palette: Palette
  columns: number
}

/** `write_file  src/a.ts`: what a call is about. @param subject as of `subjectOf` */
export function callTitle(tool: string, subject: string): string {
  return `${escapeControls(tool.slice(0, 80))}${subject === '' ? '' : `  ${subject}`}`
}

/** What joins and colours emoji: terminals disagree on how wide these are then, alone each has one width. */
const JOINING = /\u200d|[\u{1f3fb}-\u{1f3ff}]/gu

/** What runs, and for how long; the time is not cut off. @param frame how often the mark has turned */
export function statusRow(
  what: string, { elapsedMs, frame }: { elapsedMs: number; frame: number }, { palette, columns }: RowLook,
): string {
  const width = columns - 3
  const time = elapsedMs < 1000 ? '' : ` · ${duration(Math.floor(elapsedMs / 1000) * 1000).replace('.0', '')}`
  const title = cutToWidth(what.replace(JOINING, ''), Math.max(LEAST_TITLE, width - time.length))
  const mark = SPINNER[frame % SPINNER.length] ?? ''
  return `${palette.accent(mark)} ${palette.faint(cutToWidth(`${title}${time}`, width))}`
}

/** A line that a command has printed, while it runs. */
export function outputRow(line: string, { palette, columns }: RowLook): string {
  const shown = printable(line.trimEnd().slice(0, MOST_LENGTH).replace(JOINING, ''))
  return `${INDENT}${palette.faint(cutToWidth(shown, columns - 1 - INDENT.length))}`
}
