/** Passes events of concurrent work to one reader. */
export class EventChannel<T> {
  #waiting: T[] = []
  #wake: (() => void) | undefined
  #isOver = false

  readonly push = (event: T): void => {
    this.#waiting.push(event)
    this.#wake?.()
  }

  /**
   * Yields the events of `work` in order, then throws what it threw. @param onLeave called if the reader leaves early
   */
  async *during(work: Promise<void>, onLeave: () => void): AsyncGenerator<T, void> {
    const settled = work.then(() => undefined, (error: unknown) => ({ error })).finally(() => {
      this.#isOver = true
      this.#wake?.()
    })
    let isRead = false
    try {
      for (;;) {
        const events = this.#waiting
        this.#waiting = []
        yield* events
        if (this.#waiting.length > 0) continue
        if (this.#isOver) break
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      isRead = true
    } finally {
      if (!isRead) onLeave()
      await settled
    }
    const failed = await settled
    if (failed) throw failed.error
  }
}
