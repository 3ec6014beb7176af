/**
 * The part of the text the scanner may still need: the region being read, and before it the text of the block that is
 * open, from its start. Offsets are absolute in the whole text. Nothing is joined until it is asked for.
 */
export class SourceWindow {
  /** Complete lines being read (the last region's last line may lack its line end). */
  region = ''
  /** Absolute offset of the region's start. */
  base = 0
  /** Pieces without gaps up to the region, and where each starts. */
  #kept: { start: number; text: string }[] = []

  /** Starts on the text that follows the region; of what was read only that from `keepFrom` on is still needed. */
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

  /** Text between two absolute offsets, the first not before what was kept. */
  slice(from: number, to: number): string {
    if (from >= this.base) return this.region.slice(from - this.base, to - this.base)
    const parts: string[] = []
    for (let index = this.#indexOf(from); index < this.#kept.length; index++) {
      const { start, text } = this.#kept[index]!
      if (start >= to) break
      parts.push(text.slice(Math.max(0, from - start), to - start))
    }
    if (to > this.base) parts.push(this.region.slice(0, to - this.base))
    return parts.join('')
  }

  /** Makes everything kept part of the region again, for reading it once more. */
  widen(): void {
    const first = this.#kept[0]
    if (!first) return
    this.region = [...this.#kept.map(({ text }) => text), this.region].join('')
    this.base = first.start
    this.#kept = []
  }

  /** Of what was read the text from `from` on is not needed: parts that reach into it come shorter. */
  drop(from: number): void {
    const first = this.#kept.findIndex(({ start, text }) => start + text.length > from)
    if (first < 0) return
    const { start, text } = this.#kept[first]!
    this.#kept.length = first
    if (from > start) this.#kept.push({ start, text: text.slice(0, from - start) })
  }

  /** The piece that holds an offset; the first where it lies before all. */
  #indexOf(offset: number): number {
    let low = 0
    let high = this.#kept.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#kept[middle]!.start <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
