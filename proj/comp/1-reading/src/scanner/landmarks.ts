import { EDIT_FORMATS, type EditFormat } from '../../../0-contracts/src/index.js'

/**
 * Finds what a line must hold to begin or end anything outside blocks, envelopes and sections: a fence's run, the `!`
 * of a marker, the `[@` of a header that lost it, a tag, the first words of edit formats. Each kind is searched once;
 * positions are kept.
 */
export class Landmarks {
  #text = ''
  #from = 0
  readonly #finders: readonly Finder[]
  readonly #next: number[]

  constructor(formats: ReadonlySet<EditFormat>) {
    this.#finders = [...FINDERS, ...EDIT_FORMATS.flatMap((format) => (formats.has(format) ? READ : TOLD_OF)[format])]
    this.#next = this.#finders.map(() => -1)
  }

  /** Index of the first at or after `from`, else the text's length. */
  next(text: string, from: number): number {
    // The next piece of a stream may be the same text as the one before, and is read from its beginning again.
    if (text !== this.#text || from < this.#from) this.#next.fill(-1)
    this.#text = text
    this.#from = from
    let first = text.length
    for (let kind = 0; kind < this.#finders.length; kind++) {
      let at = this.#next[kind]!
      if (at < from) {
        at = this.#finders[kind]!(text, from)
        if (at < 0) at = text.length
        this.#next[kind] = at
      }
      if (at < first) first = at
    }
    return first
  }
}

type Finder = (text: string, from: number) => number

const FINDERS: readonly Finder[] = [
  (text, from) => text.indexOf('```', from),
  (text, from) => text.indexOf('~~~', from),
  (text, from) => text.indexOf('[@', from),
  (text, from) => text.indexOf('&lt;tool', from),
  (text, from) => text.indexOf('＃', from),
  (text, from) => text.indexOf('#！', from),
  findMark,
  findHashWord,
  findTag,
]

/** Where a block of a format that is read may begin, and a marker that belongs to none. */
const READ: Readonly<Record<EditFormat, readonly Finder[]>> = {
  'search-replace': [
    (text, from) => text.indexOf('SEARCH', from), (text, from) => text.indexOf('>>>>>', from),
    (text, from) => text.indexOf('+++++', from),
  ],
  v4a: [(text, from) => text.indexOf('***', from), (text, from) => text.indexOf('"apply_patch', from)],
  unified: [(text, from) => text.indexOf('--git ', from), findOldFile],
}

/**
 * The same for formats that are only told of: words that begin with a rare character, which native search finds fast.
 */
const TOLD_OF: Readonly<Record<EditFormat, readonly Finder[]>> = {
  // `findTag` finds it.
  'search-replace': [],
  v4a: [(text, from) => text.indexOf('Begin Patch', from)],
  unified: [(text, from) => text.indexOf('+++ ', from)],
}

/** The `!` of `#!`, `# !` and the like. */
function findMark(text: string, from: number): number {
  for (let at = text.indexOf('!', from); at >= 0; at = text.indexOf('!', at + 1)) {
    let before = at - 1
    while (before >= from && isBlank(text.charCodeAt(before))) before--
    if (before >= from && text.charCodeAt(before) === 0x23) return at
  }
  return -1
}

/** The `#` of `#SHAM [`. */
function findHashWord(text: string, from: number): number {
  for (let at = text.indexOf('#', from); at >= 0; at = text.indexOf('#', at + 1)) {
    const code = text.charCodeAt(at + 1) | 0x20
    if (code === 0x73 || code === 0x6e) return at
  }
  return -1
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

/**
 * The `<` of a comment, a think section, a tool call, a closing tag or a SEARCH marker,
 * in any spelling that is told of.
 */
function findTag(text: string, from: number): number {
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    const code = text.charCodeAt(at + 1)
    if (code === 0x21 || code === 0x2f || (code | 0x20) === 0x74 || (code | 0x20) === 0x72) return at
    if (code === 0x66 && text.startsWith('<function_call', at)) return at
    if (code === 0x3c && text.charCodeAt(at + 2) === 0x3c) return at
  }
  return -1
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
