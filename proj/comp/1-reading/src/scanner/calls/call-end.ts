/**
 * Finds the end of a tool call line by line: the first closing tag outside a JSON string. A string ends with its line
 * at the latest; a string broken in this way ends the call at the first closing tag inside it.
 */
export class CallEnd {
  #depth = 0
  /** Whether `{` or `[` was seen. */
  started = false
  /** Whether anything but white space was seen. */
  any = false
  /** Whether a string was cut by the end of its line, so that the next lines may be its rest. */
  broken = false
  /** Absolute offset behind the place where the brackets were balanced. */
  balancedAt: number | undefined

  /**
   * @param close the closing tag; absent for calls that have none
   * @param stopsBehind leave what follows the object on its line to the caller
   */
  constructor(private readonly close: string | undefined, private readonly stopsBehind = false) {}

  /**
   * @param base absolute offset of `text`
   * @returns index of the closing tag in `text`; -1 where the call continues on the next line
   */
  line(text: string, from: number, end: number, base: number): number {
    let at = from
    while (at < end) {
      const code = text.charCodeAt(at)
      // Behind the object a quote begins no JSON string.
      if (code === 0x22 && this.balancedAt === undefined) {
        const string = endOfString(text, at, end, this.close)
        if (string.broken) {
          this.any = true
          this.broken = true
          return string.close
        }
        at = string.at
      } else if (code === 0x3c && this.close !== undefined && text.startsWith(this.close, at)) return at
      else if (code === 0x7b || code === 0x5b) {
        if (!this.any) this.started = true
        this.#depth++
      } else if ((code === 0x7d || code === 0x5d) && --this.#depth === 0 && this.started
        && this.balancedAt === undefined) {
        this.balancedAt = base + at + 1
        if (this.stopsBehind) return -1
      }
      if (code > 0x20) this.any = true
      at++
    }
    return -1
  }
}

/** Finds the end of a string from its opening quote; `close` is the first closing tag inside. */
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
