import { EDIT_FORMATS, type EditFormat, type ReadFormat } from '../../../0-contracts/src/index.js'
import { lineOpeners } from '../dialects/index.js'
import { CharSet } from './char-set.js'
import { isBlank } from './columns.js'
import { TOOL_CALL_OPEN } from './grammar.js'
import type { Marks, Places } from './radar/index.js'
import { SECTION_KINDS } from './section-kinds.js'

/**
 * Finds the next place that can begin or end anything outside blocks, envelopes and sections: a fence's run, the `!` of
 * a marker, the `[@` of an incomplete header, a tag, the first words of edit formats. Each kind is searched once;
 * positions are cached.
 */
export class Landmarks {
  #text = ''
  readonly #finders: readonly Finder[]
  /** For each kind: from where it was last searched, and the place found. */
  readonly #from: number[]
  readonly #next: number[]
  /** The same for words that only some lines search. */
  readonly #words = new Map<string, { from: number; next: number }>()

  constructor(formats: ReadonlySet<ReadFormat>, private readonly marks: Marks) {
    this.#finders = [
      ...findersAmong(marks), ...FINDERS,
      ...lineOpeners(formats).map((opener): Finder => (text, from) => text.indexOf(opener, from)),
      ...EDIT_FORMATS.flatMap((format) => (formats.has(format) ? READ : TOLD_OF)[format]),
    ]
    this.#from = this.#finders.map(() => 0)
    this.#next = this.#finders.map(() => -1)
  }

  /** Index of the first landmark at or after `from`, else the text's length. */
  next(text: string, from: number): number {
    return Math.min(this.runs(text, from), this.others(text, from))
  }

  /** Among runs of backticks and tildes. */
  runs(text: string, from: number): number {
    const { backticks, tildes } = this.marks.of(text)
    const [ticks, waves] = [backticks.next(from), tildes.next(from)]
    if (ticks < 0) return waves < 0 ? text.length : waves
    return waves < 0 || ticks < waves ? ticks : waves
  }

  /** Among all other landmarks. */
  others(text: string, from: number): number {
    this.#in(text)
    let first = text.length
    for (let kind = 0; kind < this.#finders.length; kind++) {
      const at = this.#find(kind, from)
      if (at < first) first = at
    }
    return first
  }

  /** Among beginnings of blocks in quoted text, and the given words. */
  quotes(text: string, from: number, words: readonly string[]): number {
    this.#in(text)
    const hash = this.marks.hashes.next(from)
    let first = Math.min(this.runs(text, from), hash < 0 ? text.length : hash, this.#word(TOOL_CALL_OPEN, from))
    for (const word of words) first = Math.min(first, this.#word(word, from))
    return first
  }

  #word(word: string, from: number): number {
    const known = this.#words.get(word)
    if (known && known.next >= from && known.from <= from) return known.next
    const at = this.#text.indexOf(word, from)
    const next = at < 0 ? this.#text.length : at
    this.#words.set(word, { from, next })
    return next
  }

  #in(text: string): void {
    if (text !== this.#text) {
      this.#next.fill(-1)
      this.#words.clear()
    }
    // Also where it is equal: comparing one and the same string takes no time.
    this.#text = text
    this.marks.of(text)
  }

  #find(kind: number, from: number): number {
    const known = this.#next[kind]!
    if (known >= from && this.#from[kind]! <= from) return known
    const at = this.#finders[kind]!(this.#text, from)
    const next = at < 0 ? this.#text.length : at
    this.#next[kind] = next
    this.#from[kind] = from
    return next
  }
}

type Finder = (text: string, from: number) => number

const MARKS = SECTION_KINDS.flatMap(({ opener, closers }) => [opener, ...closers])
/** Characters that make a landmark of `<` and `[`. */
const BEHIND_ANGLE = new CharSet(`!/<tTrRf${secondChars('<')}`)
const BEHIND_BRACKET = new CharSet(`@${secondChars('[')}`)
const BEHIND_AND = new CharSet('l')
/** First characters of section tags other than those. */
const OTHER_MARKS = [...new Set(MARKS.map((mark) => mark.charAt(0)))].filter((char) => char !== '<' && char !== '[')

function secondChars(first: string): string {
  return MARKS.filter((mark) => mark.startsWith(first)).map((mark) => mark.charAt(1)).join('')
}

/** Landmarks with signs that the radar needs as well. */
function findersAmong({ hashes, angles, brackets, ampersands }: Marks): readonly Finder[] {
  return [
    (_, from) => hashes.next(from),
    // A comment, section, tool call, closing tag or SEARCH marker, in any reported spelling.
    (text, from) => nextBefore(angles, BEHIND_ANGLE, text, from),
    (text, from) => nextBefore(brackets, BEHIND_BRACKET, text, from),
    // `&lt;tool`
    (text, from) => nextBefore(ampersands, BEHIND_AND, text, from),
  ]
}

/** The first place whose sign is followed by one of these characters. */
function nextBefore(places: Places, behind: CharSet, text: string, from: number): number {
  let at = places.next(from)
  while (at >= 0 && !behind.has(text.charCodeAt(at + 1))) at = places.next(at + 1)
  return at
}

const FINDERS: readonly Finder[] = [
  ...OTHER_MARKS.map((mark): Finder => (text, from) => text.indexOf(mark, from)),
  (text, from) => text.indexOf('＃', from),
]

/** Where a block of an enabled format, or a stray marker of one, may stand. */
const READ: Readonly<Record<EditFormat, readonly Finder[]>> = {
  'search-replace': [
    (text, from) => text.indexOf('SEARCH', from), (text, from) => text.indexOf('>>>>>', from),
    (text, from) => text.indexOf('+++++', from),
  ],
  v4a: [(text, from) => text.indexOf('***', from), (text, from) => text.indexOf('"apply_patch', from)],
  unified: [(text, from) => text.indexOf('--git ', from), findOldFile],
  // Fences are landmarks already.
  whole: [],
}

/**
 * The same for formats that are not enabled, which are only reported: words with a rare first character, which native
 * search finds fast.
 */
const TOLD_OF: Readonly<Record<EditFormat, readonly Finder[]>> = {
  // Its angle bracket is a landmark already.
  'search-replace': [],
  v4a: [(text, from) => text.indexOf('Begin Patch', from)],
  unified: [(text, from) => text.indexOf('+++ ', from)],
  whole: [],
}

/** The first dashes of a line `--- a/path`, which may be quoted. */
function findOldFile(text: string, from: number): number {
  for (let at = text.indexOf('--- ', from); at >= 0; at = text.indexOf('--- ', at + 4)) {
    let before = at - 1
    while (before >= from && (isBlank(text.charCodeAt(before)) || text.charCodeAt(before) === 0x3e)) before--
    if (before < from || text.charCodeAt(before) === 0x0a) return at
  }
  return -1
}
