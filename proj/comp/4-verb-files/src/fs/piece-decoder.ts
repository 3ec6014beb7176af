import { isAscii, isUtf8 } from 'node:buffer'
import { cutBytes } from './line-counter.js'
import { decodeUnits, type TextEncoding, type Utf16Order, utf16Order } from './text-encoding.js'

/** Decodes a file read in pieces, split anywhere, to the same text as `decodeText` of the whole. */
export class PieceDecoder {
  /** Bytes of a character that the last piece split. */
  #cut: Buffer = Buffer.alloc(0)
  #order: Utf16Order | undefined

  constructor(private readonly encoding: TextEncoding) {}

  /** Text of a piece; `undefined` if the file is not in the encoding. */
  push(piece: Uint8Array): string | undefined {
    let bytes: Buffer = Buffer.concat([this.#cut, piece])
    if (this.encoding === 'utf-16' && this.#order === undefined && bytes.length > 1) {
      this.#order = utf16Order(bytes)
      if (this.#order === undefined) return undefined
      bytes = bytes.subarray(2)
    }
    const whole = bytes.length - this.#cutLength(bytes)
    // A copy, so that the whole piece can be freed.
    this.#cut = Buffer.from(bytes.subarray(whole))
    return this.#decode(bytes.subarray(0, whole))
  }

  /** Call it after the last piece; false if the file ends in the middle of a character. */
  end(): boolean {
    return this.#cut.length === 0
  }

  #decode(bytes: Buffer): string | undefined {
    if (this.encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined
    if (this.encoding === 'ascii') return isAscii(bytes) ? bytes.toString('latin1') : undefined
    return this.#order === undefined ? '' : decodeUnits(bytes, this.#order)
  }

  #cutLength(bytes: Buffer): number {
    if (this.encoding === 'utf-8') return cutBytes(bytes)
    if (this.encoding === 'ascii') return 0
    if (this.#order === undefined) return bytes.length
    const odd = bytes.length % 2
    const high = bytes[bytes.length - odd - (this.#order === 'little' ? 1 : 2)] ?? 0
    return (high & 0xfc) === 0xd8 ? odd + 2 : odd
  }
}
