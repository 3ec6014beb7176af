import { isUtf8 } from 'node:buffer'

const NEWLINE = 10
const BOM = Buffer.from('\ufeff')

/**
 * Counts the lines of a file read in pieces, split anywhere, as `splitLines` counts them, and checks that it is UTF-8.
 */
export class LineCounter {
  #breaks = 0
  #bytes = 0
  #endsInBreak = true
  /** Bytes of a character that the last piece split. */
  #cut: Buffer = Buffer.alloc(0)
  #begin: Buffer = Buffer.alloc(0)

  /** Adds a piece; false if the file is not UTF-8, which ends the counting. */
  push(piece: Uint8Array): boolean {
    if (piece.length === 0) return true
    const bytes = Buffer.concat([this.#cut, piece])
    if (this.#begin.length < BOM.length) this.#begin = Buffer.concat([this.#begin, piece]).subarray(0, BOM.length)
    const whole = bytes.length - cutBytes(bytes)
    // A copy, so that the whole piece can be freed.
    this.#cut = Buffer.from(bytes.subarray(whole))
    this.#bytes += piece.length
    this.#endsInBreak = piece.at(-1) === NEWLINE
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) this.#breaks++
    return isUtf8(bytes.subarray(0, whole))
  }

  /** The number of lines; `undefined` where the file ends in the middle of a character. */
  end(): number | undefined {
    if (this.#cut.length > 0) return undefined
    const isOnlyBom = this.#bytes === BOM.length && this.#begin.equals(BOM)
    return this.#breaks + (this.#endsInBreak || isOnlyBom ? 0 : 1)
  }
}

/** Number of bytes at the end that begin an incomplete UTF-8 character; at most three. */
export function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
