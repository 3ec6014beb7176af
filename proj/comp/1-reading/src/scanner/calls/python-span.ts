/** Finds where Python's calls end, line by line: where the brackets balance, strings and comments apart. */
export class PythonSpan {
  #depth = 0
  /** The quotes that end the open string; `''` outside of one. */
  #quotes = ''
  /** Any bracket was seen. */
  #started = false

  /** @returns index behind the bracket that balances, or -1 where the calls go on after this line */
  line(text: string, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const char = text.charAt(at)
      if (this.#quotes !== '') {
        if (char === '\\') at++
        else if (text.startsWith(this.#quotes, at)) {
          at += this.#quotes.length - 1
          this.#quotes = ''
        }
      } else if (char === '"' || char === "'") {
        this.#quotes = text.startsWith(char.repeat(3), at) ? char.repeat(3) : char
        at += this.#quotes.length - 1
      } else if ('([{'.includes(char)) {
        this.#depth++
        this.#started = true
      } else if (')]}'.includes(char) && --this.#depth <= 0 && this.#started) return at + 1
    }
    // Only those in three quotes go over lines.
    if (this.#quotes.length === 1) this.#quotes = ''
    return -1
  }

  /** A line end stands in a string. */
  get isInString(): boolean {
    return this.#quotes !== ''
  }
}
