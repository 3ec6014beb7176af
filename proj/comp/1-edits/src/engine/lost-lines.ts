/** A file with fewer lines is often written anew. */
const LEAST_LINES = 20

/** How much of a file may go without a word when it is written anew. */
export const DROPPED_SHARE = 0.5

export interface LostLines {
  /** Lines that are not blank. */
  before: number
  after: number
}

/**
 * Whether a new text is much shorter than the one it replaces.
 *
 * @param share of the old lines that may go, from 0 to 1
 * @returns `undefined` where no more go, or the old text is short
 */
export function lostLines(before: string, after: string, share: number): LostLines | undefined {
  const old = countFilled(before)
  const left = countFilled(after)
  return old >= LEAST_LINES && left < old * (1 - share) ? { before: old, after: left } : undefined
}

function countFilled(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length
}
