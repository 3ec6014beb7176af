import {
  foldUnits, locate, located, type Located, MATCH_TIERS, type MatchMode, type Place, type Steps,
} from '../engine/index.js'
import { linesFrom } from './lines-from.js'

/** Searches lines in one text, for many hunks. */
export interface LineFinder {
  /** As `locate` of the edit engine; `from` and `to` are line starts. */
  find(searched: string, from: number, to: number): Located
  /**
   * Offsets of the first `most` lines equal to this one, ignoring space around it; `undefined` where there is no index.
   */
  startsOf(line: string, from: number, to: number, most: number): readonly number[] | undefined
  /** Offset of a 0-based line, or the end of the text where there are fewer. `undefined` where there is no index. */
  lineStart(line: number): number | undefined
  /** The text with look-alikes made plain, unit for unit, so offsets stay valid. */
  plain(): string
  /** Number of characters that `find` has searched through so far. */
  readonly sought: number
}

/** Lines that occur at most this often are looked up in the index; others are searched for. */
const MOST_PLACES = 20

/**
 * `locate` for many searches of one text, with the same results: an index of trimmed lines gives the candidates, and
 * `locate` is only applied there.
 */
export function* indexedFinder(text: string, match: MatchMode): Steps<LineFinder> {
  const index = new LineIndex(text)
  yield* index.fill()
  const whole = plainFinder(text, match)
  return {
    find(searched, from, to) {
      const places = index.windows(searched, from, to)?.flatMap(([start, end]) => {
        const window = whole.find(searched, start, end)
        return window.kind === 'found' ? [window.place] : []
      })
      const exact = mostExact(places ?? [])
      // The index does not know places that match only by look-alikes.
      const isSure = exact.kind !== 'missing' && places?.some(({ tier }) => tier !== 'look-alikes') === true
      return isSure ? exact : whole.find(searched, from, to)
    },
    startsOf: (line, from, to, most) => index.startsOf(line, from, to, most),
    lineStart: (line) => (line <= 0 ? 0 : index.lineStart(line)),
    plain: () => whole.plain(),
    get sought() {
      return whole.sought
    },
  }
}

/** `locate` without an index. */
export function plainFinder(text: string, match: MatchMode): LineFinder {
  let sought = 0
  let plain: string | undefined
  return {
    find(searched, from, to) {
      sought += to - from
      return locate(text, searched, { match, from, to })
    },
    startsOf: () => undefined,
    lineStart: () => undefined,
    plain: () => plain ??= foldUnits(text),
    get sought() {
      return sought
    },
  }
}

/** The places of the strictest tier among places that were found one by one. */
export function mostExact(all: readonly Place[]): Located {
  const tier = MATCH_TIERS.find((candidate) => all.some((place) => place.tier === candidate))
  // Lines that end in CRLF count as equal where the patch has LF.
  return located(all.filter((place) => place.tier === tier || (tier === 'exact' && place.isOnlyCrlf)))
}

/** Characters to index in one step. */
const STEP = 2 ** 21

class LineIndex {
  readonly #starts: number[] = []
  /** Line numbers by trimmed line. */
  readonly #lines = new Map<string, number[]>()

  constructor(private readonly text: string) {}

  * fill(): Steps<void> {
    let pauseAt = STEP
    const bom = this.text.startsWith('\ufeff') ? 1 : 0
    for (const { start, body } of linesFrom(this.text, bom, this.text.length)) {
      const key = body.trim()
      const known = this.#lines.get(key)
      if (known === undefined) this.#lines.set(key, [this.#starts.length])
      else known.push(this.#starts.length)
      this.#starts.push(start)
      if (start < pauseAt) continue
      pauseAt = start + STEP
      yield
    }
  }

  lineStart(line: number): number {
    return this.#starts[line] ?? this.text.length
  }

  startsOf(line: string, from: number, to: number, most: number): number[] {
    const starts: number[] = []
    for (const at of this.#lines.get(line.trim()) ?? []) {
      const start = this.#starts[at] ?? 0
      if (start >= to || starts.length === most) break
      if (start >= from) starts.push(start)
    }
    return starts
  }

  /** Ranges where the searched passage may stand; `undefined` where none of its lines is rare. */
  windows(searched: string, from: number, to: number): [start: number, end: number][] | undefined {
    const wanted = [...linesFrom(searched, 0, searched.length)].map(({ body }) => body.trim())
    let rarest: { row: number; lines: readonly number[] } | undefined
    for (const [row, key] of wanted.entries()) {
      const lines = key === '' ? undefined : this.#lines.get(key) ?? []
      if (lines !== undefined && lines.length < (rarest?.lines.length ?? MOST_PLACES)) rarest = { row, lines }
    }
    return rarest?.lines.flatMap((line): [number, number][] => {
      const first = line - (rarest?.row ?? 0)
      const start = this.#starts[first]
      const end = this.#starts[first + wanted.length] ?? this.text.length
      return start !== undefined && start >= from && end <= to ? [[start, end]] : []
    })
  }
}
