/** Events of work that goes on by itself, for one reader. */
export class EventChannel<T> {
  #waiting: T[] = []
  #wake: (() => void) | undefined
  #isOver = false

  readonly push = (event: T): void => {
    this.#waiting.push(event)
    this.#wake?.()
  }

  /**
   * The events of `work` in order; what it throws is thrown after the last. @param onLeave called where the reader
   * leaves early
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
