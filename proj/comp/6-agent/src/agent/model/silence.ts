/** Longest wait after the last event, in milliseconds. */
const LAST_MS = 500

/** Aborts its signal when a server has been silent for too long. */
export class Silence {
  readonly signal: AbortSignal
  readonly ms: number
  isOver = false
  readonly #controller = new AbortController()
  readonly #given: AbortSignal
  #timer: NodeJS.Timeout
  #isEnding = false
  readonly #onAbort = (): void => this.#controller.abort()

  constructor(given: AbortSignal, ms: number) {
    this.ms = ms
    this.signal = this.#controller.signal
    this.#given = given
    if (given.aborted) this.#controller.abort()
    given.addEventListener('abort', this.#onAbort, { once: true })
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
    this.#given.removeEventListener('abort', this.#onAbort)
  }
}
