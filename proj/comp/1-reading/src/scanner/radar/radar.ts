import { CodeSpans } from '../code-spans.js'
import { Marks, type Places } from './marks.js'
import { isBehindFalseBreak, isFirst, OPENERS, type Opener } from './openers.js'
import { addTo, valueAt } from '../../../../0-text/src/index.js'

/** A place that begins, or nearly begins, an action. */
export interface Sighting {
  /** Index of the opener in the text. */
  at: number
  lineStart: number
  row: Opener
  /** Whether something precedes it on its line. */
  isMidLine: boolean
}

/** Most text to examine before and behind an opener: longer lines are examined in a window, to stay linear. */
const REACH = 600

/**
 * Finds openers in a text. It does not know fences, quotes or the scanner's decisions, so that it can serve to check
 * the scanner: only a code span in the opener's own line hides it.
 */
export class Radar {
  readonly #anchors = new Map<string, Map<number, Anchored[]>>()

  /** @param marks positions of signs in the text, which others may use as well */
  constructor(rows: readonly Opener[] = OPENERS, private readonly marks = new Marks()) {
    for (const row of rows) {
      const anchor = anchorOf(row.find)
      const byNext = valueAt(this.#anchors, anchor, () => new Map<number, Anchored[]>())
      const offset = row.find.indexOf(anchor)
      const behind = offset + anchor.length
      const next = behind < row.find.length ? row.find.charCodeAt(behind) : ANY
      addTo(byNext, next, { row, offset })
    }
    for (const byNext of this.#anchors.values()) {
      const any = byNext.get(ANY) ?? []
      for (const [next, signs] of byNext) if (next !== ANY) byNext.set(next, [...signs, ...any])
    }
  }

  /** Sightings in the complete lines from `from` to `to`, in text order, at most one in each line. */
  sightings(text: string, from: number, to: number): Sighting[] {
    const region = from === 0 && to === text.length ? text : text.slice(from, to)
    const seen: Sighting[] = []
    const marks = this.marks.of(region)
    for (const [anchor, rows] of this.#anchors) search(region, anchor, placesOf(marks, anchor), rows, seen)
    if (seen.length === 0) return seen
    seen.sort((a, b) => a.at - b.at)
    const single = seen.filter(({ lineStart }, index) => index === 0 || seen[index - 1]!.lineStart !== lineStart)
    return from === 0 ? single
      : single.map((sighting) => ({ ...sighting, at: sighting.at + from, lineStart: sighting.lineStart + from }))
  }
}

/**
 * Strings for native search, rare in prose, since the search is fast only up to the next hit. Rows with the same anchor
 * are distinguished by the character behind it.
 */
const ANCHORS = ['<', '#', '[', '&', '@', '>>>', '```', '~~~', 'Actio', '＃', 'Begin P', 'diff --git ', '{"']

function anchorOf(find: string): string {
  const anchor = ANCHORS.find((text) => find.includes(text))
  if (anchor === undefined) throw new Error(`no anchor in ${find}`)
  return anchor
}

function placesOf(marks: Marks, anchor: string): Places | undefined {
  switch (anchor) {
    case '<': return marks.angles
    case '#': return marks.openingHashes
    case '[': return marks.brackets
    case '&': return marks.ampersands
    case '```': return marks.openingBackticks
    case '~~~': return marks.openingTildes
    default: return undefined
  }
}

/** A row, and the offset of its anchor within `find` (`functools[`). */
interface Anchored {
  row: Opener
  offset: number
}

/** Rows of an anchor by the character behind it. */
type Rows = ReadonlyMap<number, readonly Anchored[]>

function search(text: string, anchor: string, places: Places | undefined, rows: Rows, sightings: Sighting[]): void {
  let lineStart = 0
  let lineEnd = -1
  let spans: CodeSpans | undefined
  let next = 0
  for (;;) {
    const hit = places ? places.next(next) : text.indexOf(anchor, next)
    if (hit < 0) return
    next = hit + anchor.length
    const candidates = rows.get(text.charCodeAt(hit + anchor.length)) ?? rows.get(ANY)
    if (!candidates) continue
    const first = candidateAt(candidates, text, hit)
    if (!first) continue
    const at = hit - first.offset
    if (at > lineEnd) {
      lineStart = text.lastIndexOf('\n', at - 1) + 1
      // `lastIndexOf` with a negative index would begin at 0.
      if (at === 0) lineStart = 0
      lineEnd = text.indexOf('\n', at)
      if (lineEnd < 0) lineEnd = text.length
      spans = undefined
    }
    const start = Math.max(lineStart, at - REACH)
    const end = Math.min(lineEnd, at + REACH)
    const line = text.slice(start, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end)
    // Where the line is cut at the front, `x` stands for the missing text: a character that precedes no opener.
    const window = start === lineStart ? line : `x${line}`
    const place = start === lineStart ? at - start : at - start + 1
    const opener = openerAt(candidates, text, at, window, place)
    if (!opener) continue
    if (opener.midLine || isBehindFalseBreak(window, place)) {
      spans ??= new CodeSpans(text.slice(lineStart, lineEnd))
      if (spans.has(at - lineStart)) continue
    }
    sightings.push({ at, lineStart, row: opener, isMidLine: !opener.isInside && !isFirst(window, place) })
    next = Math.max(next, lineEnd)
  }
}

const ANY = -1

/** The first row whose `find` matches around the hit of its anchor. */
function candidateAt(candidates: readonly Anchored[], text: string, hit: number): Anchored | undefined {
  for (const candidate of candidates) {
    const { row, offset } = candidate
    if (text.startsWith(row.find, hit - offset) && row.near?.(text, hit - offset) !== false) return candidate
  }
  return undefined
}

/** The row that opens at `at`, which is `place` of the window. Without closures, since it is called often. */
function openerAt(
  candidates: readonly Anchored[], text: string, at: number, window: string, place: number,
): Opener | undefined {
  for (const { row } of candidates) if (text.startsWith(row.find, at) && row.opens(window, place)) return row
  return undefined
}
