import { countBreaks } from '../../../0-text/src/index.js'
import type { Ledger } from './ledger.js'
import type { SourceWindow } from './source-window.js'

/** Less is counted at once. */
const LITTLE = 4096

/**
 * The number of the line that is read. Line ends are counted when it is asked for: most lines are passed over, and
 * none of their numbers is needed. Offsets are absolute.
 */
export class LineNumber {
  readonly #source: SourceWindow
  readonly #ledger: Ledger
  /** The number of the line that begins at `#counted`, but for the line ends of `#behind`. */
  #number = 1
  #counted = 0
  /** The text before the region, of which the line ends from an index on are not counted yet. */
  #behind: { text: string; from: number } | undefined
  /** The line that is asked for begins here, or ends here. */
  #at = 0
  #ends = true

  constructor(source: SourceWindow, ledger: Ledger) {
    this.#source = source
    this.#ledger = ledger
  }

  /** 1-based; 0 before the first. */
  get value(): number {
    if (this.#counted !== this.#at || this.#behind) this.#count()
    return this.#ends ? this.#number - 1 : this.#number
  }

  /** The line that begins at `at` is read; it is the next where the line before ended there. */
  begin(at: number, isNext: boolean): void {
    if (isNext && this.#at === this.#counted && !this.#ends) {
      this.#number++
      this.#counted = at
    }
    this.#at = at
    this.#ends = false
  }

  /** All up to `at` was passed over, where a line ends, or the text. */
  passTo(at: number): void {
    this.#at = at
    this.#ends = true
  }

  /** The line that begins at `at` has this number. */
  set(at: number, number: number): void {
    this.#behind = undefined
    this.#counted = at
    this.#number = number
  }

  /** The region, which ends at `end`, is left. */
  leave(end: number): void {
    const { region, base } = this.#source
    if (this.#behind || end - this.#counted < LITTLE) {
      this.passTo(end)
      this.#count()
    } else this.#behind = { text: region, from: this.#counted - base }
    this.#counted = end
    this.passTo(end)
  }

  /** From the nearer of two places: where it is known, or the next line that the radar saw something in. */
  #count(): void {
    const next = this.#ledger.nextFrom(this.#at)
    if (next - this.#at < this.#at - this.#counted) {
      const { region, base } = this.#source
      this.set(this.#at, this.#ledger.nextLine - countBreaks(region, this.#at - base, next - base))
      return
    }
    if (this.#behind) this.#number += countBreaks(this.#behind.text, this.#behind.from, this.#behind.text.length)
    this.#behind = undefined
    const { region, base } = this.#source
    const [from, to] = [this.#counted - base, this.#at - base]
    if (from <= to) this.#number += countBreaks(region, from, to)
    else this.#number -= countBreaks(region, to, from)
    this.#counted = this.#at
  }
}
