import { closesFence, languageOf, readFenceOpener, type FenceOpener } from './fences.js'

/** Lines that are a fence's edge, in a list item or a quote too. */
const EDGE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(?=```|~~~)/

/**
 * Counts the code fences of a text that comes in pieces, in plain lines: for the message where nothing in it ran. A
 * fence that shows fences counts once.
 */
export class CodeFences {
  count = 0
  /** Of those fences, in order; a fence without one has none. */
  readonly languages = new Set<string>()
  #rest = ''
  #open: FenceOpener | undefined

  push(piece: string): this {
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
      const found = Math.min(ticks.from(at), tildes.from(at))
      if (found === Infinity) return
      const start = text.lastIndexOf('\n', found) + 1
      const newline = text.indexOf('\n', found)
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

/** Where a string stands in a text, each place looked for once. */
class Places {
  readonly #text: string
  readonly #wanted: string
  #next = -1

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
  }

  /** The first place at or behind an index that never falls. */
  from(at: number): number {
    if (this.#next >= at) return this.#next
    const found = this.#text.indexOf(this.#wanted, at)
    return this.#next = found < 0 ? Infinity : found
  }
}
