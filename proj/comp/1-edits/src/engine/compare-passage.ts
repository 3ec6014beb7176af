import { compareLine, type SearchedLine } from './compare-line.js'
import { lineAt } from './line-parts.js'
import { type MatchTier, MATCH_TIERS, NO_SHIFT, type Shift } from './match-tier.js'

/** A run of whole lines of a text that matched. */
export interface Place {
  /** Offset of the first line. */
  start: number
  /** Offset behind the last line and its line ending. */
  end: number
  tier: MatchTier
  shift: Shift
  /** The lines differ from the searched ones only by CRLF in place of LF. */
  isOnlyCrlf?: true
}

/**
 * Compares the lines from `start` on with the searched ones.
 *
 * @param end offset that matching lines must not pass
 * @param deepest index in `MATCH_TIERS` of the loosest permitted tier
 * @returns `looked`: number of UTF-16 units compared, by which callers bound their work
 */
export function comparePassage(
  text: string, start: number, end: number, searched: readonly SearchedLine[], deepest: number,
): { place?: Place; looked: number } {
  let level = 0
  let isOnlyCrlf = searched.every(({ ending }) => ending !== '\r\n')
  let shift: Shift | undefined
  let at = start
  for (const [index, wanted] of searched.entries()) {
    if (at >= end) return { looked: at - start }
    const { body, ending } = lineAt(text, at)
    at += body.length + ending.length
    const match = compareLine(body, wanted)
    if (!match) return { looked: at - start }
    const isLast = index === searched.length - 1
    if (match.level > 0) isOnlyCrlf = false
    level = Math.max(level, match.level, !isLast && ending !== wanted.ending ? 1 : 0)
    if (match.shift) {
      const { added, removed } = match.shift
      if (shift && (shift.added !== added || shift.removed !== removed)) return { looked: at - start }
      shift = match.shift
    }
    if (level > deepest) return { looked: at - start }
  }
  const tier = MATCH_TIERS[level] ?? 'look-alikes'
  const place: Place = { start, end: at, tier, shift: shift ?? NO_SHIFT }
  if (isOnlyCrlf && tier !== 'exact') place.isOnlyCrlf = true
  return { place, looked: at - start }
}
