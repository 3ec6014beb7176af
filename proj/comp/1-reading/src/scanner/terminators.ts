import { MAX_DELIMITER, readHeader } from './grammar.js'

interface WordLine {
  /** Absolute offset of the line's start. */
  start: number
  /** Columns of white space before the word; tabs count one, which only errs towards accepting. */
  indent: number
}

/**
 * Where the lines stand that can end a heredoc or its block: built once when a heredoc was still open at the end of
 * the text, so that many forgotten terminators stay linear.
 */
export class TerminatorIndex {
  readonly #words = new Map<string, WordLine[]>()
  readonly #headers = new Map<string, number[]>()
  readonly #headerStarts: number[] = []

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
   * Start of the next line at or after `from` that is `word` (blanks inside it
   * count) but for trailing blanks and `columns` leading ones.
   */
  nextWord(word: string, from: number, columns: number): number | undefined {
    const lines = this.#words.get(word)
    if (!lines) return undefined
    for (let i = lowerBound(lines, from, (line) => line.start); i < lines.length; i++) {
      if (lines[i]!.indent <= columns) return lines[i]!.start
    }
    return undefined
  }

  /** Start of the next header of block `id` at or after `from`, whatever its spelling. */
  nextHeader(id: string, from: number): number | undefined {
    const starts = this.#headers.get(id)
    return starts?.[lowerBound(starts, from, (start) => start)]
  }

  /** How many headers stand at or after `from`. */
  headersAfter(from: number): number {
    return this.#headerStarts.length - lowerBound(this.#headerStarts, from, (start) => start)
  }

  #add(text: string, start: number, end: number, base: number): void {
    let from = start
    while (from < end && isSpace(text.charCodeAt(from))) from++
    let to = end
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--
    if (to === from || to - from > MAX_DELIMITER) return
    const word = text.slice(from, to)
    if (word.startsWith('#!') && word.includes(' ')) {
      const id = readHeader(word)?.id
      if (id !== undefined) {
        push(this.#headers, id, base + start)
        this.#headerStarts.push(base + start)
      }
    }
    push(this.#words, word, { start: base + start, indent: from - start })
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function lowerBound<T>(list: readonly T[], wanted: number, key: (item: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (key(list[middle]!) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
