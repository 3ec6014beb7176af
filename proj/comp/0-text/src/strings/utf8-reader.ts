import { unlessThrown } from '../../../0-contracts/src/index.js'
import { countBreaks } from './line-breaks.js'

/** The text decoded from the bytes so far. */
export interface Utf8Text {
  text: string
  /** 1-based line of the first bytes that are not UTF-8; `text` ends before them. Stop reading then. */
  badLine?: number
}

/**
 * Decodes UTF-8 in pieces, which may cut a character in two. The result does not depend on the cuts, and invalid bytes
 * are an error, never a replacement character. A byte order mark is kept.
 */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** The first bytes of a character that is not complete yet: at most 3. */
  #cut: Uint8Array = new Uint8Array(0)
  #line = 1

  push(piece: Uint8Array): Utf8Text {
    const bytes = this.#cut.length === 0 ? piece : joined(this.#cut, piece)
    const whole = bytes.length - cutLength(bytes)
    // A copy, since the caller may reuse the buffer of the piece.
    this.#cut = bytes.slice(whole)
    return this.#read(bytes.subarray(0, whole))
  }

  /** Call it at the end of the text. */
  end(): Utf8Text {
    return this.#read(this.#cut)
  }

  #read(bytes: Uint8Array): Utf8Text {
    const text = this.#decode(bytes)
    if (text !== undefined) {
      this.#line += countBreaks(text, 0, text.length)
      return { text }
    }
    const good = this.#goodStart(bytes)
    return { text: good, badLine: this.#line + countBreaks(good, 0, good.length) }
  }

  /** The longest valid prefix, by bisection: each shorter prefix of valid text decodes as well. */
  #goodStart(bytes: Uint8Array): string {
    let text = ''
    for (let good = 0, bad = bytes.length; good + 1 < bad;) {
      const middle = (good + bad) >> 1
      const start = bytes.subarray(0, middle)
      const decoded = this.#decode(start.subarray(0, middle - cutLength(start)))
      if (decoded === undefined) bad = middle
      else {
        good = middle
        text = decoded
      }
    }
    return text
  }

  #decode(bytes: Uint8Array): string | undefined {
    return unlessThrown(TypeError, () => this.#decoder.decode(bytes), undefined)
  }
}

/** Number of bytes at the end that begin a character without completing it. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    // 10xxxxxx continues a character; 0xxxxxxx is a whole one; 11… starts one of as many bytes as it has leading ones.
    if (byte >= 0xc0) return (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}
