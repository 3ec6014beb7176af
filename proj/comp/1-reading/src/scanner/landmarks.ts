import { EDIT_FORMATS, type EditFormat, type ReadFormat } from '../../../0-contracts/src/index.js'
import { lineOpeners } from '../dialects/index.js'
import { CharSet } from './char-set.js'
import { TOOL_CALL_OPEN } from './grammar.js'
import type { Marks, Places } from './radar/index.js'
import { SECTION_KINDS } from './section-kinds.js'

/**
 * Finds what a line must hold to begin or end anything outside blocks, envelopes and sections: a fence's run, the `!`
 * of a marker, the `[@` of a header that lost it, a tag, the first words of edit formats. Each kind is searched once;
 * positions are kept.
 */
export class Landmarks {
  #text = ''
  readonly #marks: Marks
  readonly #finders: readonly Finder[]
  /** Of each kind: from where it was looked for, and where the next stands. */
  readonly #from: number[]
  readonly #next: number[]
  /** The same of words that only some lines look for. */
  readonly #words = new Map<string, { from: number; next: number }>()

  constructor(formats: ReadonlySet<ReadFormat>, marks: Marks) {
    this.#marks = marks
    this.#finders = [
      ...findersAmong(marks), ...FINDERS,
      ...lineOpeners(formats).map((opener): Finder => (text, from) => text.indexOf(opener, from)),
      ...EDIT_FORMATS.flatMap((format) => (formats.has(format) ? READ : TOLD_OF)[format]),
    ]
    this.#from = this.#finders.map(() => 0)
    this.#next = this.#finders.map(() => -1)
  }

  /** Index of the first at or after `from`, else the text's length. */
  next(text: string, from: number): number {
    return Math.min(this.runs(text, from), this.others(text, from))
  }

  /** Of the runs of backticks and tildes. */
  runs(text: string, from: number): number {
    const { backticks, tildes } = this.#marks.of(text)
    const [ticks, waves] = [backticks.next(from), tildes.next(from)]
    if (ticks < 0) return waves < 0 ? text.length : waves
    return waves < 0 || ticks < waves ? ticks : waves
  }

  /** Of all others. */
  others(text: string, from: number): number {
    this.#in(text)
    let first = text.length
    for (let kind = 0; kind < this.#finders.length; kind++) {
      const at = this.#find(kind, from)
      if (at < first) first = at
    }
    return first
  }

  /** Of what begins a block where blocks are quoted, and of these words. */
  quotes(text: string, from: number, words: readonly string[]): number {
    this.#in(text)
    const hash = this.#marks.hashes.next(from)
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
    // Also where it is equal: one and the same string is known for that without a look at its characters.
    this.#text = text
    this.#marks.of(text)
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
/** What stands behind the `<` and the `[` of a landmark. */
const BEHIND_ANGLE = new CharSet(`!/<tTrRf${secondChars('<')}`)
const BEHIND_BRACKET = new CharSet(`@${secondChars('[')}`)
const BEHIND_AND = new CharSet('l')
/** Of section marks that begin otherwise. */
const OTHER_MARKS = [...new Set(MARKS.map((mark) => mark.charAt(0)))].filter((char) => char !== '<' && char !== '[')

function secondChars(first: string): string {
  return MARKS.filter((mark) => mark.startsWith(first)).map((mark) => mark.charAt(1)).join('')
}

/** Those of signs that are marked for the radar as well. */
function findersAmong({ hashes, angles, brackets, ampersands }: Marks): readonly Finder[] {
  return [
    (_, from) => hashes.next(from),
    // A comment, a section, a tool call, a closing tag or a SEARCH marker, in any spelling that is told of.
    (text, from) => nextBefore(angles, BEHIND_ANGLE, text, from),
    (text, from) => nextBefore(brackets, BEHIND_BRACKET, text, from),
    // `&lt;tool`
    (text, from) => nextBefore(ampersands, BEHIND_AND, text, from),
  ]
}

/** The first of these places with one of these characters behind its sign. */
function nextBefore(places: Places, behind: CharSet, text: string, from: number): number {
  let at = places.next(from)
  while (at >= 0 && !behind.has(text.charCodeAt(at + 1))) at = places.next(at + 1)
  return at
}

const FINDERS: readonly Finder[] = [
  ...OTHER_MARKS.map((mark): Finder => (text, from) => text.indexOf(mark, from)),
  (text, from) => text.indexOf('＃', from),
]

/** Where a block of a format that is read may begin, and a marker that belongs to none. */
const READ: Readonly<Record<EditFormat, readonly Finder[]>> = {
  'search-replace': [
    (text, from) => text.indexOf('SEARCH', from), (text, from) => text.indexOf('>>>>>', from),
    (text, from) => text.indexOf('+++++', from),
  ],
  v4a: [(text, from) => text.indexOf('***', from), (text, from) => text.indexOf('"apply_patch', from)],
  unified: [(text, from) => text.indexOf('--git ', from), findOldFile],
  // Fences are landmarks.
  whole: [],
}

/**
 * The same for formats that are only told of: words that begin with a rare character, which native search finds fast.
 */
const TOLD_OF: Readonly<Record<EditFormat, readonly Finder[]>> = {
  // Its angle is a landmark.
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

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
