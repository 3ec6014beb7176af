import type { LineRange } from '../../../1-edits/src/index.js'

const BOM = '\ufeff'

/** Selects lines from a text that arrives in pieces, and counts all lines, as `splitLines` does. */
export class LineSelection {
  /** The selected lines so far, each with its ending. */
  readonly lines: string[] = []
  /** How many of the selected lines are within the limit, once it is exceeded. */
  fitting: number | undefined
  /** Their size as UTF-8. */
  #bytes = 0
  #ended = 0
  #isOpen = false
  #isStart = true

  /** @param mostBytes limit on the selected lines; at most one line beyond it is kept */
  constructor(private readonly range: LineRange, private readonly mostBytes: number) {}

  /** Lines so far, including a last one without a line break. */
  get lineCount(): number {
    return this.#ended + (this.#isOpen ? 1 : 0)
  }

  push(text: string): void {
    if (text === '') return
    let at = this.#isStart && text.startsWith(BOM) ? BOM.length : 0
    this.#isStart = false
    while (at < text.length) {
      const newline = text.indexOf('\n', at)
      const end = newline === -1 ? text.length : newline + 1
      const number = this.#ended + 1
      if (number >= this.range.first && number <= this.range.last) this.#take(text.slice(at, end))
      this.#isOpen = newline === -1
      if (!this.#isOpen) this.#ended++
      at = end
    }
  }

  #take(part: string): void {
    if (this.fitting !== undefined) return
    this.#bytes += Buffer.byteLength(part)
    const last = this.lines.length - 1
    if (this.#isOpen && last >= 0) this.lines[last] += part
    else this.lines.push(part)
    if (this.#bytes > this.mostBytes) this.fitting = this.lines.length - 1
  }
}
