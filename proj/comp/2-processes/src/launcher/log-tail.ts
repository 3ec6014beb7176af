/** Bytes of what a program wrote to standard error that are kept: the end of it. */
const MOST_BYTES = 64 * 1024
const NEWLINE = 10
/** A frame of a stack trace of Node, and its last line. */
const STACK = /^\s+at .|^Node\.js v\d/

/** The end of a log that may be long: bounded memory, whatever comes. */
export class LogTail {
  #bytes = Buffer.alloc(0)

  add(piece: Buffer): void {
    const all = Buffer.concat([this.#bytes, piece.subarray(Math.max(piece.length - MOST_BYTES, 0))])
    this.#bytes = all.subarray(Math.max(all.length - MOST_BYTES, 0))
  }

  /**
   * The last lines that say something (those of Node's stack traces stand below what it says); raw,
   * to be escaped where they are shown.
   */
  lines(most: number): string[] {
    const whole = this.#bytes.length < MOST_BYTES ? this.#bytes : this.#bytes.subarray(this.#bytes.indexOf(NEWLINE) + 1)
    const all = whole.toString('utf8').split(/\r\n|\n|\r/).filter(line => line.trim() !== '')
    const telling = all.filter(line => !STACK.test(line))
    const lines = telling.length > 0 ? telling : all
    return lines.slice(Math.max(lines.length - most, 0))
  }
}
