/**
 * The lines of a file while hunks change them in order. Lines before the last change are kept apart, so that changes
 * from top to bottom cost no more than the lines they pass.
 */
export class LineImage {
  /** Lines up to the last change; for each, whether a hunk wrote it. */
  #done: string[] = []
  #isWritten: boolean[] = []
  #from = 0
  /** For the remaining lines, whether a hunk wrote them; used when a later hunk applies further up. */
  #restWritten: readonly boolean[] = []

  constructor(
    /** The remaining lines, from index `#from` on. */
    private rest: readonly string[],
  ) {}

  get length(): number {
    return this.#done.length + this.rest.length - this.#from
  }

  line(at: number): string | undefined {
    const beyond = at - this.#done.length
    return beyond < 0 ? this.#done[at] : this.rest[this.#from + beyond]
  }

  isWritten(at: number): boolean {
    const beyond = at - this.#done.length
    return (beyond < 0 ? this.#isWritten[at] : this.#restWritten[this.#from + beyond]) ?? false
  }

  replace(at: number, count: number, lines: readonly string[]): void {
    if (at < this.#done.length) this.#rewind()
    const until = this.#from + at - this.#done.length
    for (let i = this.#from; i < until; i++) {
      this.#done.push(this.rest[i] ?? '')
      this.#isWritten.push(this.#restWritten[i] ?? false)
    }
    for (const line of lines) {
      this.#done.push(line)
      this.#isWritten.push(true)
    }
    this.#from = until + count
  }

  all(): string[] {
    return this.#done.concat(this.rest.slice(this.#from))
  }

  #rewind(): void {
    const written = this.#isWritten.concat(this.#restWritten.slice(this.#from))
    this.rest = this.all()
    this.#restWritten = written
    this.#from = 0
    this.#done = []
    this.#isWritten = []
  }
}
