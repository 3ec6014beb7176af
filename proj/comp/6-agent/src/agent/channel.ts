/** Passes what concurrent work brings to one reader, in order. */
export class Channel<T> {
  #waiting: T[] = []
  #wake: (() => void) | undefined
  #isOver = false
  #failed: { error: unknown } | undefined

  push(...items: readonly T[]): void {
    this.#waiting.push(...items)
    this.#wake?.()
  }

  /** No more comes. @param failed why it broke off, where it did */
  end(failed?: { error: unknown }): void {
    this.#isOver = true
    this.#failed = failed
    this.#wake?.()
  }

  /** All that comes, until the end; throws what it broke off with. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const items = this.#waiting
      this.#waiting = []
      yield* items
      if (this.#waiting.length > 0) continue
      if (this.#isOver) break
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failed) throw this.#failed.error
  }

  /** Yields what `work` brings, then throws what it threw. @param onLeave called if the reader leaves early */
  async *during(work: Promise<void>, onLeave: () => void): AsyncGenerator<T, void> {
    const settled = work.then(() => this.end(), (error: unknown) => this.end({ error }))
    try {
      yield* this
    } finally {
      if (!this.#isOver) onLeave()
      await settled
    }
  }
}
