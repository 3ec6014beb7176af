import type { HermesError } from '../../../0-contracts/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { cutToWidth, wrapText } from '../../../2-terminal/src/index.js'

/** Lines that wait, as they are shown. */
const MOST_QUEUED = 3
/** Of a line that waits, before it is cut to the terminal. */
const MOST_LENGTH = 1000

interface Look {
  palette: Palette
  columns: number
}

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
