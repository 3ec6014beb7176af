/** Longest wait after the last event, in milliseconds. */
const LAST_MS = 500

/** Aborts its signal when a server has been silent for too long. */
export class Silence {
  readonly signal: AbortSignal
  isOver = false
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout
  #isEnding = false

  constructor(given: AbortSignal, readonly ms: number) {
    this.signal = AbortSignal.any([given, this.#controller.signal])
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.#controller.abort()
    }, ms)
  }

  heard(): void {
    if (!this.#isEnding) this.#timer.refresh()
  }

  /** The answer is complete: wait for the rest only briefly, so that the connection can be reused. */
  endSoon(): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), LAST_MS)
  }

  release(): void {
    clearTimeout(this.#timer)
  }
}
