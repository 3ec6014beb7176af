import type { ScanError } from './items.js'
import type { ScanState } from './scan-state.js'

/**
 * Longest block, and longest line outside of one, in UTF-16 units. No file that a block can write comes near it, and a
 * text that never ends a block must not fill the memory. What is longer is an error; its text is not held.
 */
export const LONGEST = 64 * 1024 * 1024

const HINT = 'Send it in parts: file_append adds to a file.'

/** The one error of a block that is longer: what else is wrong with it is not looked for. */
export function tooLong(s: ScanState, line: number, column = 1): ScanError {
  return {
    code: 'FILE_TOO_LARGE', message: `The block of line ${line} is longer than ${inWords(s.longest)}`, line, column,
    length: 0, hint: HINT,
  }
}

/** Whether what is open from `start` to `end` (absolute) is longer. */
export function isTooLong(s: ScanState, start: number, end: number): boolean {
  return end - start > s.longest
}

/** The limit, for messages. */
export function inWords(length: number): string {
  const millions = length / 1024 / 1024
  return millions >= 1 ? `${millions} Mi characters` : `${length} characters`
}
