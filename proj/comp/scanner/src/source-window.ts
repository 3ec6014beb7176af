/**
 * The part of the text the scanner may still need: the region being read, and what was kept before it because a block
 * is open. Offsets are absolute in the whole text. Nothing is joined until a block is complete.
 */
export class SourceWindow {
  /** Complete lines being read (the last region's last line may lack its line end). */
  region = ''
  /** Absolute offset of the region's start. */
  base = 0
  #kept: string[] = []
  #keptBase = 0

  /** Starts on the text that follows the region; `keep` says whether the old one is still needed. */
  advance(next: string, keep: boolean): void {
    if (keep) {
      if (this.#kept.length === 0) this.#keptBase = this.base
      this.#kept.push(this.region)
    } else this.#drop()
    this.base += this.region.length
    this.region = next
  }

  /** Text between two absolute offsets, the first not before what was kept. */
  slice(from: number, to: number): string {
    if (from >= this.base) return this.region.slice(from - this.base, to - this.base)
    this.#join()
    const kept = this.#kept[0] ?? ''
    const before = kept.slice(from - this.#keptBase, to - this.#keptBase)
    return to > this.base ? before + this.region.slice(0, to - this.base) : before
  }

  /** Makes everything kept part of the region again, for reading it once more. */
  widen(): void {
    if (this.#kept.length === 0) return
    this.#join()
    this.region = this.#kept[0]! + this.region
    this.base = this.#keptBase
    this.#drop()
  }

  #join(): void {
    if (this.#kept.length > 1) this.#kept = [this.#kept.join('')]
  }

  #drop(): void {
    this.#kept = []
  }
}
