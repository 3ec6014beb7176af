import { comparePassage, type Place } from './compare-passage.js'
import { type Span, startsByLines, startsByProbe } from './candidates.js'
import { searchedLine } from './compare-line.js'
import { exactPlaces } from './exact-places.js'
import { linesOf } from './line-parts.js'
import { MATCH_TIERS, type MatchMode, type MatchTier } from './match-tier.js'
import { probesOf } from './probe.js'

export interface LocateOptions extends Partial<Span> {
  /** Default `tolerant`. */
  match?: MatchMode
}

export type Located =
  | { kind: 'found'; place: Place }
  /** `places`: the first 20; all are of one tier. */
  | { kind: 'ambiguous'; tier: MatchTier; places: Place[] }
  | { kind: 'missing' }

const LISTED = 20
const PROBES = 3
/** Units compared, for each unit of the text: beyond it the text repeats so much that nothing is said to be found. */
const WORK = 16

/**
 * Finds whole lines of a text, by the first tier in which any passage matches. Pure and linear in `text`.
 *
 * @param searched lines with or without a final line break, not empty
 * @param options `from` is the offset of a line's start, `to` that of a line's start or the text's end
 */
export function locate(text: string, searched: string, options: LocateOptions = {}): Located {
  const lines = linesOf(searched).map(searchedLine)
  const isBlank = lines.every(({ trimmed }) => trimmed === '')
  const deepest = options.match === 'exact' || isBlank ? 0 : MATCH_TIERS.length - 1
  const bom = text.startsWith('\ufeff') ? 1 : 0
  const span = { from: Math.max(bom, options.from ?? 0), to: options.to ?? text.length }
  if (lines.length === 0) return { kind: 'missing' }
  const exact = exactPlaces(text, span, searched, LISTED)
  if (exact && (exact.length > 0 || deepest === 0)) return ofTier('exact', exact)
  return decide(span, startsOf(text, span, lines), (start) => comparePassage(text, start, span.to, lines, deepest))
}

function startsOf(text: string, span: Span, lines: Parameters<typeof startsByLines>[2]): number[] {
  for (const probe of probesOf(lines, PROBES)) {
    const starts = startsByProbe(text, span, lines, probe)
    if (starts) return starts
  }
  return startsByLines(text, span, lines)
}

function decide(
  span: Span, starts: readonly number[], compare: (start: number) => ReturnType<typeof comparePassage>,
): Located {
  let work = (span.to - span.from) * WORK
  const byTier = new Map<MatchTier, Place[]>()
  for (const start of starts) {
    const { place, looked } = compare(start)
    work -= looked
    if (place) addTo(byTier, place)
    if (work < 0 || byTier.get('exact')?.length === LISTED) break
  }
  for (const tier of MATCH_TIERS) {
    const places = byTier.get(tier)
    if (!places) continue
    // Where the work was broken off another place may match as well.
    return work >= 0 ? ofTier(tier, places) : { kind: 'ambiguous', tier, places }
  }
  return { kind: 'missing' }
}

function ofTier(tier: MatchTier, places: Place[]): Located {
  const [place, second] = places
  if (!place) return { kind: 'missing' }
  return second ? { kind: 'ambiguous', tier, places } : { kind: 'found', place }
}

function addTo(byTier: Map<MatchTier, Place[]>, place: Place): void {
  const places = byTier.get(place.tier)
  if (!places) byTier.set(place.tier, [place])
  else if (places.length < LISTED) places.push(place)
}
