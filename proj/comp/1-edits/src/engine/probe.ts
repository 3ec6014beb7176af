import type { SearchedLine } from './compare-line.js'

/** A piece of a line that every tier requires unchanged, by which candidates are found. */
export interface Probe {
  piece: string
  /** Index of its line in the searched lines. */
  line: number
}

/** Long enough to be rare; up to this length the search of the JavaScript engine is fast for any text. */
const LONGEST = 32

/** Runs of characters without white space, and without quotes, dashes or spaces that have look-alikes. */
const SAME_IN_ALL_TIERS = /[^\s'"\-\u2018-\u201f\u2010-\u2015\u2212\u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]+/g

/**
 * The longest pieces of the searched lines, longest first, at most one from each line.
 *
 * @param most number of probes
 */
export function probesOf(lines: readonly SearchedLine[], most: number): Probe[] {
  const probes: Probe[] = []
  const seen = new Set<string>()
  for (const [line, { trimmed }] of lines.entries()) {
    if (seen.has(trimmed)) continue
    seen.add(trimmed)
    const piece = longestPiece(trimmed)
    if (piece === '') continue
    const rank = probes.findIndex((probe) => probe.piece.length < piece.length)
    probes.splice(rank === -1 ? probes.length : rank, 0, { piece, line })
    if (probes.length > most) probes.pop()
  }
  return probes
}

function longestPiece(line: string): string {
  let longest = ''
  for (const [piece] of line.matchAll(SAME_IN_ALL_TIERS)) {
    if (piece.length > longest.length) longest = piece.slice(0, LONGEST)
    if (longest.length === LONGEST) break
  }
  return longest
}
