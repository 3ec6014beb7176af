import { lowerBound } from '../../../0-text/src/index.js'

/**
 * The part of the text that the scanner may still need: the region being read, and before it the text of the open
 * block. Offsets are absolute. Pieces are joined only on demand.
 */
export class SourceWindow {
  /** Complete lines being read (the last line of the text may lack its line end). */
  region = ''
  /** Absolute offset of the region's start. */
  base = 0
  /** Consecutive pieces before the region, with their offsets. */
  #kept: { start: number; text: string }[] = []

  /** Moves on to the text behind the region; of earlier text only that from `keepFrom` on is kept. */
  advance(next: string, keepFrom: number | undefined): void {
    if (keepFrom === undefined) this.#kept = []
    else if (keepFrom > this.base) this.#kept = [{ start: keepFrom, text: this.region.slice(keepFrom - this.base) }]
    else {
      if (this.#kept[0] && this.#kept[0].start < keepFrom) {
        this.#kept = [{ start: keepFrom, text: this.slice(keepFrom, this.base) }]
      }
      this.#kept.push({ start: this.base, text: this.region })
    }
    this.base += this.region.length
    this.region = next
  }

  /** Text between two absolute offsets; the first must not lie before the kept text. */
  slice(from: number, to: number): string {
    if (from >= this.base) return this.region.slice(from - this.base, to - this.base)
    const parts: string[] = []
    // From the piece that holds `from`, or the first where that lies before all.
    const behind = lowerBound(1, this.#kept.length, (index) => this.#kept[index]!.start <= from)
    for (let index = behind - 1; index < this.#kept.length; index++) {
      const { start, text } = this.#kept[index]!
      if (start >= to) break
      parts.push(text.slice(Math.max(0, from - start), to - start))
    }
    if (to > this.base) parts.push(this.region.slice(0, to - this.base))
    return parts.join('')
  }

  /** Makes all kept text part of the region, to read it again. */
  widen(): void {
    const first = this.#kept[0]
    if (!first) return
    this.region = [...this.#kept.map(({ text }) => text), this.region].join('')
    this.base = first.start
    this.#kept = []
  }

  /** Drops kept text before `from`; pieces that contain it are cut. */
  drop(from: number): void {
    const first = this.#kept.findIndex(({ start, text }) => start + text.length > from)
    if (first < 0) return
    const { start, text } = this.#kept[first]!
    this.#kept.length = first
    if (from > start) this.#kept.push({ start, text: text.slice(0, from - start) })
  }
}
