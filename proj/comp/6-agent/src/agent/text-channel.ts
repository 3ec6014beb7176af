/**
 * A text on its way from the model to the blocks' runner, line by line: a line ends at most one block, so that each is
 * told of
 * before it runs.
 */
export class TextChannel implements AsyncIterable<string> {
  #waiting: string[] = []
  #isOver = false
  #wake: (() => void) | undefined

  push(text: string): void {
    this.#waiting.push(...text.split(/(?<=\n)/))
    this.#wake?.()
  }

  /** No more comes. @param reason why it broke off, where it did */
  end(reason?: Error): void {
    this.#isOver = true
    this.#reason = reason
    this.#wake?.()
  }

  #reason: Error | undefined

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    for (;;) {
      const pieces = this.#waiting
      this.#waiting = []
      yield* pieces
      if (this.#waiting.length > 0) continue
      if (this.#isOver) break
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#reason) throw this.#reason
  }
}
