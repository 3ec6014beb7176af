/**
 * Finds where a tool call ends, line by line (contract section 1): at the first closing tag outside a JSON string. A
 * string ends with its line at the latest; one that is broken so ends the call at the first closing tag inside it.
 */
export class CallEnd {
  readonly #close: string | undefined
  readonly #stopsBehind: boolean
  #depth = 0
  /** A `{` or `[` was seen. */
  started = false
  /** Any character but white space was seen. */
  any = false
  /** A string was cut by the end of its line: what follows may be its rest. */
  broken = false
  /** Absolute offset after the place where the object balanced. */
  balancedAt: number | undefined

  /**
   * @param close the closing tag; absent for calls that have none
   * @param stopsBehind what follows the object on its line is for others to read
   */
  constructor(close: string | undefined, stopsBehind = false) {
    this.#close = close
    this.#stopsBehind = stopsBehind
  }

  /**
   * @param base absolute offset of `text`
   * @returns index of the closing tag in `text`, or -1 where the call goes on after this line
   */
  line(text: string, from: number, end: number, base: number): number {
    let at = from
    while (at < end) {
      const code = text.charCodeAt(at)
      // Behind the object a quote begins no JSON string.
      if (code === 0x22 && this.balancedAt === undefined) {
        const string = endOfString(text, at, end, this.#close)
        if (string.broken) {
          this.any = true
          this.broken = true
          return string.close
        }
        at = string.at
      } else if (code === 0x3c && this.#isClose(text, at)) return at
      else if (code === 0x7b || code === 0x5b) {
        if (!this.any) this.started = true
        this.#depth++
      } else if ((code === 0x7d || code === 0x5d) && --this.#depth === 0 && this.started
        && this.balancedAt === undefined) {
        this.balancedAt = base + at + 1
        if (this.#stopsBehind) return -1
      }
      if (code > 0x20) this.any = true
      at++
    }
    return -1
  }

  #isClose(text: string, at: number): boolean {
    return this.#close !== undefined && text.startsWith(this.#close, at)
  }
}

/** From the opening quote to the closing one; `close` is the first closing tag inside. */
function endOfString(
  text: string, from: number, end: number, tag: string | undefined,
): { at: number; broken: boolean; close: number } {
  let close = -1
  for (let at = from + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return { at, broken: false, close }
    else if (code === 0x3c && close < 0 && tag !== undefined && text.startsWith(tag, at)) close = at
  }
  return { at: end, broken: true, close }
}
