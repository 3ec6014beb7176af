import { countBreaks } from '../../../0-text/src/index.js'
import type { Ledger } from './ledger.js'
import type { SourceWindow } from './source-window.js'

/** Up to this length, line ends are counted at once. */
const LITTLE = 4096

/**
 * Number of the current line. Line ends are only counted on demand, since most lines are skipped and their numbers
 * never needed. Offsets are absolute.
 */
export class LineNumber {
  /** Number of the line at `#counted`, without the line ends of `#behind`. */
  #number = 1
  #counted = 0
  /** Text before the region whose line ends, from index `from` on, are not counted yet. */
  #behind: { text: string; from: number } | undefined
  /** Offset where the current line begins, or (`#ends`) ends. */
  #at = 0
  #ends = true

  constructor(private readonly source: SourceWindow, private readonly ledger: Ledger) {}

  /** 1-based; 0 before the first line. */
  get value(): number {
    if (this.#counted !== this.#at || this.#behind) this.#count()
    return this.#ends ? this.#number - 1 : this.#number
  }

  /** Sets the line that begins at `at`; `isNext`: the line before ends there. */
  begin(at: number, isNext: boolean): void {
    if (isNext && this.#at === this.#counted && !this.#ends) {
      this.#number++
      this.#counted = at
    }
    this.#at = at
    this.#ends = false
  }

  /** Everything up to `at`, the end of a line or of the text, was skipped. */
  passTo(at: number): void {
    this.#at = at
    this.#ends = true
  }

  /** Sets the number of the line that begins at `at`. */
  set(at: number, number: number): void {
    this.#behind = undefined
    this.#counted = at
    this.#number = number
  }

  /** The region, which ends at `end`, is left. */
  leave(end: number): void {
    const { region, base } = this.source
    if (this.#behind || end - this.#counted < LITTLE) {
      this.passTo(end)
      this.#count()
    } else this.#behind = { text: region, from: this.#counted - base }
    this.#counted = end
    this.passTo(end)
  }

  /** Counts from the nearer of two known places: the last one, or the next line with a sighting. */
  #count(): void {
    const next = this.ledger.nextFrom(this.#at)
    if (next - this.#at < this.#at - this.#counted) {
      const { region, base } = this.source
      this.set(this.#at, this.ledger.nextLine - countBreaks(region, this.#at - base, next - base))
      return
    }
    if (this.#behind) this.#number += countBreaks(this.#behind.text, this.#behind.from, this.#behind.text.length)
    this.#behind = undefined
    const { region, base } = this.source
    const [from, to] = [this.#counted - base, this.#at - base]
    if (from <= to) this.#number += countBreaks(region, from, to)
    else this.#number -= countBreaks(region, to, from)
    this.#counted = this.#at
  }
}
