/** A time limit that stands still while the user is asked. */
export class PausedClock {
  readonly #over = new AbortController()
  #leftMs: number
  #timer: NodeJS.Timeout | undefined
  #since = 0
  #pauses = 0

  /** It begins to run at once. */
  constructor(ms: number) {
    this.#leftMs = ms
    this.#run()
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer)
      this.#leftMs -= performance.now() - this.#since
    }
    try {
      return await work()
    } finally {
      if (--this.#pauses === 0) this.#run()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#pauses = Infinity
  }

  #run(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(() => this.#over.abort(), Math.max(0, this.#leftMs))
  }
}
