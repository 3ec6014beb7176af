import type { Fix, ParseError, ParseOutcome } from '../../../0-contracts/src/index.js'
import { applyFix } from '../scanner/index.js'

/** Most rounds: each fixes what the one before exposed, a header first, then what stands below it. */
const MOST_ROUNDS = 8

/**
 * Applies the fix of each error and reads again, until no fix is left. Other lines stay as they are.
 *
 * @returns `mended`: errors whose fix was applied, in order; lines are those of the text after the round before;
 *   `outcome`: the result of reading the mended text
 */
export function mendText(
  given: string, read: (text: string) => ParseOutcome,
): { text: string; mended: ParseError[]; outcome: ParseOutcome } {
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

/**
 * Applies fixes to a text.
 *
 * @returns `used`: the applied ones, in text order
 */
export function putFixes<T extends { fix: Fix }>(text: string, fixes: readonly T[]): { text: string; used: T[] } {
  const used = apart(fixes)
  // From the last to the first, so that earlier line numbers stay valid.
  return { text: used.reduceRight((whole, { fix }) => applyFix(whole, fix), text), used }
}

/** Sorts fixes and drops overlapping ones; of two at one line (a block and its stray end marker) the wider stays. */
function apart<T extends { fix: Fix }>(fixes: readonly T[]): T[] {
  const sorted = fixes.toSorted((a, b) => a.fix.startLine - b.fix.startLine || b.fix.endLine - a.fix.endLine)
  let taken = 0
  return sorted.filter(({ fix: { startLine, endLine } }) => {
    if (startLine <= taken) return false
    taken = Math.max(startLine, endLine)
    return true
  })
}
