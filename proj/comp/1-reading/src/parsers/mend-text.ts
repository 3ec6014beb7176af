import type { Fix, ParseError, ParseOutcome } from '../../../0-contracts/src/index.js'
import { applyFix } from '../scanner/index.js'

/** Each round mends what the one before laid open: a header first, then what stands under it. */
const MOST_ROUNDS = 8

export interface MendedText {
  text: string
  /** The errors whose fix was used, in order. Their lines are those of the text as the round before left it. */
  mended: ParseError[]
  /** What the mended text still has. */
  outcome: ParseOutcome
}

/** The text with the fix of each error in place, read again until none is left. Lines that no fix names stay. */
export function mendText(given: string, read: (text: string) => ParseOutcome): MendedText {
  const mended: ParseError[] = []
  let text = given
  let outcome = read(text)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fixes = outcome.errors.flatMap(error => error.error.fix ? [{ error, fix: error.error.fix }] : [])
    const put = putFixes(text, fixes)
    if (put.used.length === 0) break
    text = put.text
    mended.push(...put.used.map(({ error }) => error))
    outcome = read(text)
  }
  return { text, mended, outcome }
}

/** The text with fixes in place. @returns also those that were, in text order */
export function putFixes<T extends { fix: Fix }>(text: string, fixes: readonly T[]): { text: string; used: T[] } {
  const used = apart(fixes)
  // The last first: those before it keep their lines.
  return { text: used.reduceRight((whole, { fix }) => applyFix(whole, fix), text), used }
}

/** In text order; of two that begin at one line, for a block and a stray end of it, the wider one. */
function apart<T extends { fix: Fix }>(fixes: readonly T[]): T[] {
  const sorted = fixes.toSorted((a, b) => a.fix.startLine - b.fix.startLine || b.fix.endLine - a.fix.endLine)
  let taken = 0
  return sorted.filter(({ fix: { startLine, endLine } }) => {
    if (startLine <= taken) return false
    taken = Math.max(startLine, endLine)
    return true
  })
}
