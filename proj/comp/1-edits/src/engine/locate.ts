import { comparePassage, type Place } from './compare-passage.js'
import { startsByLines, startsByProbe, type Span } from './candidates.js'
import { searchedLine } from './compare-line.js'
import { linesOf } from './line-parts.js'
import { MATCH_TIERS, NO_SHIFT, type MatchMode, type MatchTier } from './match-tier.js'
import { probesOf } from './probe.js'
import { tabIndentedForms } from './tab-indent.js'
import { textFinder } from './text-search.js'

export interface LocateOptions extends Partial<Span> {
  /** Default `tolerant`. */
  match?: MatchMode
}

export type Located =
  | { kind: 'found'; place: Place }
  /** `places`: the first 20, all of the same tier. */
  | { kind: 'ambiguous'; tier: MatchTier; places: Place[] }
  | { kind: 'missing' }

const LISTED = 20
const PROBES = 3
/** Most units to compare, as a multiple of the text's length. A text that repeats so much counts as not matching. */
const WORK = 16

/**
 * Finds whole lines in a text, by the first tier that matches anywhere. Pure; linear in `text`.
 *
 * @param searched not empty; with or without a final line break
 * @param options `from`: offset of a line's start; `to`: offset of a line's start or the end of the text
 */
export function locate(text: string, searched: string, options: LocateOptions = {}): Located {
  const lines = linesOf(searched).map(searchedLine)
  const isBlank = lines.every(({ trimmed }) => trimmed === '')
  const deepest = options.match === 'exact' || isBlank ? 0 : MATCH_TIERS.length - 1
  const bom = text.startsWith('\ufeff') ? 1 : 0
  const span = { from: Math.max(bom, options.from ?? 0), to: options.to ?? text.length }
  if (lines.length === 0) return { kind: 'missing' }
  const exact = exactPlaces(text, span, searched, LISTED)
  if (exact && (deepest === 0 || exact.length > 1)) return located(exact)
  // There may be a second place that differs only in CRLF: the endings of a model's text prove nothing.
  const isSure = exact?.length === 1 && (lines.length === 1 || !text.slice(span.from, span.to).includes('\r\n'))
  if (isSure) return located(exact)
  const search = (wanted: typeof lines): Collected => collect(span, startsOf(text, span, wanted), (start) => (
    comparePassage(text, start, span.to, wanted, deepest)
  ))
  const matches = search(lines)
  const isNear = matches.byTier.has('exact') || matches.byTier.has('trailing-space')
  for (const form of deepest === 0 || isNear ? [] : tabIndentedForms(text, span, lines)) {
    addTabIndented(matches, search(form.lines), form.spacesPerTab)
  }
  return decide(matches)
}

function startsOf(text: string, span: Span, lines: Parameters<typeof startsByLines>[2]): number[] {
  for (const probe of probesOf(lines, PROBES)) {
    const starts = startsByProbe(text, span, lines, probe)
    if (starts) return starts
  }
  return startsByLines(text, span, lines)
}

interface Collected {
  byTier: Map<MatchTier, Place[]>
  /** False where the search was cut short. */
  isWhole: boolean
}

function collect(
  span: Span, starts: readonly number[], compare: (start: number) => ReturnType<typeof comparePassage>,
): Collected {
  let work = (span.to - span.from) * WORK
  const byTier = new Map<MatchTier, Place[]>()
  for (const start of starts) {
    const { place, looked } = compare(start)
    work -= looked
    if (place) addTo(byTier, place)
    if (work < 0 || byTier.get('exact')?.length === LISTED) break
  }
  return { byTier, isWhole: work >= 0 }
}

/** Also accepts files indented by tabs where the text has spaces; beyond that no line may be shifted. */
function addTabIndented(matches: Collected, { byTier, isWhole }: Collected, spacesPerTab: number): void {
  for (const place of [...byTier.values()].flat()) {
    const tier = place.tier === 'look-alikes' ? place.tier : 'indentation'
    // Lines whose indentation fills no tab are found as they are, too.
    const isKnown = matches.byTier.get(tier)?.some(({ start }) => start === place.start) === true
    if (isKnown || place.shift.added !== '' || place.shift.removed !== '') continue
    addTo(matches.byTier, { start: place.start, end: place.end, tier, shift: { ...NO_SHIFT, spacesPerTab } })
  }
  matches.isWhole &&= isWhole
}

function decide({ byTier, isWhole }: Collected): Located {
  for (const tier of MATCH_TIERS) {
    const places = tier === 'exact' ? exactWithCrlf(byTier) : byTier.get(tier)
    if (!places) continue
    // After a search that was cut short, another place may match too.
    return isWhole ? located(places, tier) : { kind: 'ambiguous', tier, places }
  }
  return { kind: 'missing' }
}

/** For exact matches, also the places that end their lines in CRLF: models write LF whatever the file has. */
function exactWithCrlf(byTier: ReadonlyMap<MatchTier, Place[]>): Place[] | undefined {
  const exact = byTier.get('exact')
  const others = byTier.get('trailing-space')?.filter((place) => place.isOnlyCrlf) ?? []
  return exact && [...exact, ...others].sort((a, b) => a.start - b.start).slice(0, LISTED)
}

/** What places of one tier come to. */
export function located(places: Place[], tier = places[0]?.tier): Located {
  const [place, second] = places
  if (!place || !tier) return { kind: 'missing' }
  return second ? { kind: 'ambiguous', tier, places } : { kind: 'found', place }
}

export function placesOf(match: Located): Place[] {
  return match.kind === 'missing' ? [] : match.kind === 'found' ? [match.place] : match.places
}

function addTo(byTier: Map<MatchTier, Place[]>, place: Place): void {
  const places = byTier.get(place.tier)
  if (!places) byTier.set(place.tier, [place])
  else if (places.length < LISTED) places.push(place)
}

/**
 * The whole lines of a text that are those searched for, byte for byte; how the last one ends is of no account.
 *
 * @param most how many are looked for
 * @returns `undefined` where another way must be taken
 */
function exactPlaces(text: string, { from, to }: Span, searched: string, most: number): Place[] | undefined {
  const wanted = searched.replace(/\r?\n$/, '')
  // A lone carriage return at the end might be part of a line break in the text.
  if (wanted === '' || wanted.endsWith('\r') || wanted.endsWith('\n')) return undefined
  const places: Place[] = []
  const find = textFinder(text, wanted)
  for (let at = find(from); at !== -1 && at + wanted.length <= to && places.length < most;) {
    const isLineStart = at === from || text[at - 1] === '\n'
    const end = isLineStart ? lineEndAt(text, at + wanted.length) : undefined
    if (end !== undefined) places.push({ start: at, end, tier: 'exact', shift: NO_SHIFT })
    const next = text.indexOf('\n', at)
    at = next === -1 ? -1 : find(next + 1)
  }
  return places
}

/** The offset after the line break at `end`, or the text's end; `undefined` where the line goes on. */
function lineEndAt(text: string, end: number): number | undefined {
  if (end === text.length) return end
  if (text[end] === '\n') return end + 1
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : undefined
}
