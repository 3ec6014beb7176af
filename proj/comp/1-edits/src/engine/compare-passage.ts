import { compareLine, type SearchedLine } from './compare-line.js'
import { lineAt } from './line-parts.js'
import { type MatchTier, MATCH_TIERS, NO_SHIFT, type Shift } from './match-tier.js'

/** Whole lines of a text. */
export interface Place {
  /** Offset of the first line. */
  start: number
  /** Offset after the last line and its own ending. */
  end: number
  tier: MatchTier
  shift: Shift
  /** Its lines are those searched for, but end in CRLF where these end in LF. */
  isOnlyCrlf?: true
}

/**
 * Compares the lines from `start` on with those searched for.
 *
 * @param deepest index in `MATCH_TIERS` of the last tier allowed
 * @param end offset at which the lines that may match end
 * @returns also how many units were looked at, so that callers can bound their work
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
      if (shift && !isSameShift(shift, match.shift)) return { looked: at - start }
      shift = match.shift
    }
    if (level > deepest) return { looked: at - start }
  }
  const tier = MATCH_TIERS[level] ?? 'look-alikes'
  const place: Place = { start, end: at, tier, shift: shift ?? NO_SHIFT }
  if (isOnlyCrlf && tier !== 'exact') place.isOnlyCrlf = true
  return { place, looked: at - start }
}

function isSameShift(a: Shift, b: Shift): boolean {
  return a.added === b.added && a.removed === b.removed
}
