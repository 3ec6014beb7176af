import { closesFence, languageOf, readFenceOpener, type FenceOpener } from './fences.js'

/** A line with the edge of a fence, also in a list item or quote. */
const EDGE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(?=```|~~~)/

/**
 * Counts code fences in a text that comes in pieces, by a simple rule; used in the message for an answer without live
 * blocks. A fence that shows other fences counts once.
 */
export class CodeFences {
  count = 0
  /** Only white space so far. */
  isBlank = true
  /** Languages of the fences in order, without empty ones. */
  readonly languages = new Set<string>()
  #rest = ''
  #open: FenceOpener | undefined

  push(piece: string): this {
    this.isBlank &&= piece.trim() === ''
    const end = piece.lastIndexOf('\n') + 1
    if (end === 0) {
      this.#rest += piece
      return this
    }
    const text = this.#rest + piece.slice(0, end)
    this.#rest = piece.slice(end)
    this.#read(text)
    return this
  }

  /** The text has ended. */
  end(): this {
    this.#read(this.#rest)
    this.#rest = ''
    return this
  }

  #read(text: string): void {
    const [ticks, tildes] = [new Places(text, '```'), new Places(text, '~~~')]
    for (let at = 0; at < text.length;) {
      const next = Math.min(ticks.from(at), tildes.from(at))
      if (next === Infinity) return
      const start = text.lastIndexOf('\n', next) + 1
      const newline = text.indexOf('\n', next)
      const line = text.slice(start, newline < 0 ? text.length : newline).trimEnd()
      const edge = EDGE.exec(line)
      if (edge) this.#edge(line, edge[0].length)
      at = newline < 0 ? text.length : newline + 1
    }
  }

  #edge(line: string, at: number): void {
    if (this.#open) {
      if (closesFence(this.#open, line, at, line.length)) this.#open = undefined
      return
    }
    this.#open = readFenceOpener(line, at, line.length)
    if (!this.#open) return
    this.count++
    const language = languageOf(this.#open.info)
    if (language !== '') this.languages.add(language)
  }
}

/** Finds a string in a text from ascending places, searching each part of the text only once. */
class Places {
  #next = -1

  constructor(private readonly text: string, private readonly wanted: string) {}

  /** First occurrence at or behind `at`, which must never decrease. */
  from(at: number): number {
    if (this.#next >= at) return this.#next
    const index = this.text.indexOf(this.wanted, at)
    return this.#next = index < 0 ? Infinity : index
  }
}
