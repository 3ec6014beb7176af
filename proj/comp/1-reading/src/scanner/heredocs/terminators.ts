import { addTo, lowerBound } from '../../../../0-text/src/index.js'
import { opensHeredoc } from '../assignment.js'
import { endLine, MAX_DELIMITER, readHeader, readHeredocOpener } from '../grammar.js'
import type { Dialect } from '../items.js'
import { MaxTree } from './max-tree.js'

interface WordLine {
  /** Absolute offset of the line's start. */
  start: number
  /** Columns of white space before the word; tabs count as one, which only accepts more. */
  indent: number
}

/** For one word: the running difference between its openers and terminators, by offset. */
interface Balance {
  starts: number[]
  balances: number[]
  reached: Map<number, number[]>
}

/**
 * Index of the lines that can end a heredoc or its block. Built once, when a heredoc is still open at the end of the
 * text, so that many missing terminators stay linear.
 */
export class TerminatorIndex {
  readonly #words = new Map<string, WordLine[]>()
  readonly #headers = new Map<string, number[]>()
  readonly #headerStarts: number[] = []
  /** Offsets of lines that open a heredoc, by word. */
  readonly #openers = new Map<string, number[]>()
  readonly #balances = new Map<string, Balance>()
  /** All openers, and the word of each. */
  readonly #openerStarts: number[] = []
  readonly #openerWords: (string | undefined)[] = []
  #ends: MaxTree | undefined
  /** First characters of the words to index: end markers, a block's own delimiter, words of openers. */
  readonly #beginsOfWords = new Set(['#', 'E'].map((sign) => sign.charCodeAt(0)))
  /** A long line was only examined in part, so its word may begin with any character. */
  #mayBeginAnyhow = false

  constructor(text: string, base: number) {
    let at = 0
    while (at < text.length) {
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline
      this.#add(text, at, end, base)
      at = end + 1
    }
  }

  /**
   * Start of the next line at or after `from` that equals `word` (inner blanks included), apart from trailing blanks
   * and at most `columns` leading ones.
   */
  nextWord(word: string, from: number, columns: number): number | undefined {
    const lines = this.#words.get(word)
    if (!lines) return undefined
    for (let i = lowerBound(0, lines.length, (at) => lines[at]!.start < from); i < lines.length; i++) {
      if (lines[i]!.indent <= columns) return lines[i]!.start
    }
    return undefined
  }

  /**
   * The terminator of a heredoc whose content begins at `from`: the next line equal to `word` that does not close an
   * inner heredoc opened behind `counted` (`QuotedHeredocs` finds the same line by line). `undefined` where there is
   * none, or where another open heredoc makes it uncertain.
   *
   * @param counted offset from which inner openers count; `undefined`: none count
   */
  ownTerminator(word: string, from: number, columns: number, counted: number | undefined): number | undefined {
    const first = this.nextWord(word, from, columns)
    if (first === undefined || counted === undefined || first < counted) return first
    const { starts, balances, reached } = this.#balanceOf(word)
    const before = firstFrom(starts, counted) - 1
    const places = reached.get((before < 0 ? 0 : balances[before]!) + 1)
    const place = places?.[firstFrom(places, counted)]
    return place === undefined || this.#isOpenAt(counted, place) ? undefined : place
  }

  /** Start of the last end marker of block `id`, in any spelling. */
  lastEnd(id: string, columns: number): number | undefined {
    const starts = DIALECTS.flatMap((dialect) => (
      this.#words.get(endLine(dialect, id))?.findLast((line) => line.indent <= columns)?.start ?? []))
    return starts.length === 0 ? undefined : Math.max(...starts)
  }

  /** Start of the next header of block `id` at or after `from`, in any spelling. */
  nextHeader(id: string, from: number): number | undefined {
    const starts = this.#headers.get(id)
    return starts?.[firstFrom(starts, from)]
  }

  /** Number of headers at or after `from`. */
  headersAfter(from: number): number {
    return this.#headerStarts.length - firstFrom(this.#headerStarts, from)
  }

  #add(text: string, start: number, end: number, base: number): void {
    let from = start
    while (from < end && isSpace(text.charCodeAt(from))) from++
    let to = end
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--
    if (to === from) return
    const word = text.slice(from, Math.min(to, from + MAX_DELIMITER + MAX_KEY))
    if (to - from > word.length) this.#mayBeginAnyhow = true
    const hasOpener = word.includes('<<')
    if (hasOpener) for (const [, sign] of word.matchAll(WORD_BEGINS)) this.#beginsOfWords.add(sign!.charCodeAt(0))
    if (hasOpener && opensHeredoc(word)) {
      const opened = readHeredocOpener(word).word?.trim()
      this.#openerStarts.push(base + start)
      this.#openerWords.push(opened)
      if (opened !== undefined) addTo(this.#openers, opened, base + start)
    }
    if (to - from > MAX_DELIMITER) return
    if (word.includes('#') && word.includes('!')) this.#addHeader(word, base + start)
    if (!this.#mayBeginAnyhow && !this.#beginsOfWords.has(word.charCodeAt(0))) return
    addTo(this.#words, word, { start: base + start, indent: from - start })
  }

  #addHeader(word: string, start: number): void {
    const header = word.replace(/^[\s>*+-]+/, '')
    const id = header.startsWith('#') && header.includes(' ') ? readHeader(header)?.id : undefined
    if (id === undefined) return
    addTo(this.#headers, id, start)
    this.#headerStarts.push(start)
  }

  #balanceOf(word: string): Balance {
    const known = this.#balances.get(word)
    if (known) return known
    const ends = (this.#words.get(word) ?? []).map(({ start }) => ({ start, step: 1 }))
    const opens = (this.#openers.get(word) ?? []).map((start) => ({ start, step: -1 }))
    const balance: Balance = { starts: [], balances: [], reached: new Map() }
    let sum = 0
    for (const { start, step } of [...ends, ...opens].sort((a, b) => a.start - b.start)) {
      sum += step
      balance.starts.push(start)
      balance.balances.push(sum)
      if (step > 0) addTo(balance.reached, sum, start)
    }
    this.#balances.set(word, balance)
    return balance
  }

  /** Whether a heredoc opened between `from` and `at` is still open at `at`. */
  #isOpenAt(from: number, at: number): boolean {
    this.#ends ??= new MaxTree(this.#openerStarts.map((start, index) => {
      const word = this.#openerWords[index]
      return word === undefined ? Infinity : this.nextWord(word, start, Infinity) ?? Infinity
    }))
    return this.#ends.max(firstFrom(this.#openerStarts, from), firstFrom(this.#openerStarts, at)) > at
  }
}

/** Possible first characters of the word behind `<<`; a line may have several. */
const WORD_BEGINS = /<(?=<[-~]?[ \t]*['"]?\s*(\S))/g

const DIALECTS: readonly Dialect[] = ['SHAM', 'NESL', 'nesl']

/** Longest key before a heredoc's word. */
const MAX_KEY = 300

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}

/** Index of the first of these offsets at or behind another. */
function firstFrom(starts: readonly number[], offset: number): number {
  return lowerBound(0, starts.length, (index) => starts[index]! < offset)
}
