import { lowerBound } from '../../../../0-text/src/index.js'
import { endOfRun } from '../char-set.js'
import { isBlank } from '../columns.js'
import { infoMayOpen } from './openers.js'

/**
 * Positions of the signs that begin an action (for the radar) or anything else outside blocks (for `Landmarks`): runs
 * of backticks and tildes; `#` and `<` followed by something that gives them a meaning; `[` and `&`. Each text is
 * searched once for both, since searches cost mostly by their hits, or where those are few, by the length of the text.
 */
export class Marks {
  #text = ''
  readonly backticks = new Places()
  readonly tildes = new Places()
  /** Runs with an info string that may be an opener's. */
  readonly openingBackticks = new Places()
  readonly openingTildes = new Places()
  readonly hashes = new Places()
  /** Hashes followed by what may be the start of a header's name. */
  readonly openingHashes = new Places()
  readonly angles = new Places()
  readonly brackets = new Places()
  readonly ampersands = new Places()

  /** Scans this text, unless it is the same as the last. */
  of(text: string): this {
    const isKnown = text === this.#text
    // Also where it is equal: comparing one and the same string takes no time.
    this.#text = text
    if (isKnown) return this
    findRuns(text, '```', this.backticks.clear(), this.openingBackticks.clear())
    findRuns(text, '~~~', this.tildes.clear(), this.openingTildes.clear())
    findHashes(text, this.hashes.clear(), this.openingHashes.clear())
    findAngles(text, this.angles.clear())
    findAll(text, '[', this.brackets.clear())
    findAll(text, '&', this.ampersands.clear())
    return this
  }
}

/** Offsets in a text, ascending. */
export class Places {
  /** Longer than `#count`: the array is reused for the next text, since growing it anew costs more than the search. */
  readonly #list: number[] = []
  #count = 0
  #index = 0

  add(at: number): void {
    if (this.#count === this.#list.length) this.#list.push(at)
    else this.#list[this.#count] = at
    this.#count++
  }

  clear(): this {
    this.#count = 0
    this.#index = 0
    return this
  }

  /** The first offset at or after `from`, else -1. */
  next(from: number): number {
    const list = this.#list
    let index = this.#index
    if (index > 0 && list[index - 1]! >= from) index = lowerBound(0, index, (at) => list[at]! < from)
    while (index < this.#count && list[index]! < from) index++
    this.#index = index
    return index < this.#count ? list[index]! : -1
  }
}

function findRuns(text: string, run: string, all: Places, opening: Places): void {
  for (let at = text.indexOf(run); at >= 0;) {
    all.add(at)
    const end = endOfRun(text, at)
    if (infoMayOpen(text, end)) opening.add(at)
    at = text.indexOf(run, end)
  }
}

/** Finds `#!`, `# !`, `#！`, and a `#` before what may be a header's name; no headings. */
function findHashes(text: string, all: Places, opening: Places): void {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    let next = at + 1
    if (!beginsName(text.charCodeAt(next))) {
      next = skipBlanks(text, next)
      const code = text.charCodeAt(next)
      if (code !== BANG && code !== WIDE_BANG) continue
      next = skipBlanks(text, next + 1)
    }
    all.add(at)
    // Excludes the `#!` of scripts.
    if (beginsName(text.charCodeAt(next))) opening.add(at)
  }
}

/** First letter of `sham` or `nesl`, in either case. */
function beginsName(code: number): boolean {
  return code === 0x53 || code === 0x73 || code === 0x4e || code === 0x6e
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

const BANG = 0x21
const WIDE_BANG = 0xff01
const SLASH = 0x2f
const ANGLE = 0x3c
const EQUALS = 0x3d

function findAll(text: string, sign: string, all: Places): void {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) all.add(at)
}

/** Finds `<` that may begin a tag, no comparisons; of several in a row the first and the last. */
function findAngles(text: string, places: Places): void {
  for (let at = text.indexOf('<'); at >= 0;) {
    let code = text.charCodeAt(at + 1)
    if (code === ANGLE) {
      places.add(at)
      at = endOfRun(text, at) - 1
      code = text.charCodeAt(at + 1)
    }
    if (code > EQUALS || code === BANG || code === SLASH) places.add(at)
    at = text.indexOf('<', at + 1)
  }
}
