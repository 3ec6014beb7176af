import { escapeControls, printable } from '../../../0-text/src/index.js'
import { duration, type Palette } from '../../../1-reports/src/index.js'
import { cutToWidth } from '../line-editor/index.js'

/** Interval of the spinner, in milliseconds. */
export const SPIN_MS = 120
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const INDENT = '    '
/** Longest line to process, before it is cut to the terminal's width. */
const MOST_LENGTH = 1000
/** Least columns for the title, however long the time is. */
const LEAST_TITLE = 8

export interface RowLook {
  palette: Palette
  columns: number
}

/**
 * Title of a call: `write_file  src/a.ts`.
 *
 * @param subject as from `subjectOf`
 */
export function callTitle(tool: string, subject: string): string {
  return `${escapeControls(tool.slice(0, 80))}${subject === '' ? '' : `  ${subject}`}`
}

/** Joiners and skin tones of emoji: terminals disagree on the width of combined emoji, but not of single ones. */
const JOINING = /\u200d|[\u{1f3fb}-\u{1f3ff}]/gu

/**
 * The row for a running call; the elapsed time is never cut off.
 *
 * @param frame of the spinner
 */
export function statusRow(
  what: string, { elapsedMs, frame }: { elapsedMs: number; frame: number }, { palette, columns }: RowLook,
): string {
  const width = columns - 3
  const time = elapsedMs < 1000 ? '' : ` · ${duration(Math.floor(elapsedMs / 1000) * 1000).replace('.0', '')}`
  const title = cutToWidth(what.replace(JOINING, ''), Math.max(LEAST_TITLE, width - time.length))
  const mark = SPINNER[frame % SPINNER.length] ?? ''
  return `${palette.accent(mark)} ${palette.faint(cutToWidth(`${title}${time}`, width))}`
}

/** The row for an output line of a running command. */
export function outputRow(line: string, { palette, columns }: RowLook): string {
  const shown = printable(line.trimEnd().slice(0, MOST_LENGTH).replace(JOINING, ''))
  return `${INDENT}${palette.faint(cutToWidth(shown, columns - 1 - INDENT.length))}`
}
