/** Counts who looks; tells when nobody has looked for a while, though somebody did before. */
export class Presence {
  readonly #graceMs: number
  readonly #onAbsence: () => void
  #present = 0
  #timer: NodeJS.Timeout | undefined

  /** @param graceMs how long a page may be away: it takes a moment to load again */
  constructor(graceMs: number, onAbsence: () => void) {
    this.#graceMs = graceMs
    this.#onAbsence = onAbsence
  }

  /** @returns to be called once, when that one has gone */
  enter(): () => void {
    this.#present++
    clearTimeout(this.#timer)
    return () => {
      this.#present--
      if (this.#present === 0) this.#timer = setTimeout(this.#onAbsence, this.#graceMs)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
