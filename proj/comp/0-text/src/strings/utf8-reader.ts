import { countBreaks } from './line-breaks.js'

/** Text of bytes that came so far. */
export interface Utf8Text {
  text: string
  /** 1-based line of the first bytes that are no UTF-8; `text` ends before them, and nothing may be read after. */
  badLine?: number
}

/**
 * Reads UTF-8 that comes in pieces, which may cut a character. How it is cut changes nothing, and wrong bytes are an
 * error, never a replacement character. A byte order mark stays.
 */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** The start of a character whose rest is still to come: at most 3 bytes. */
  #cut: Uint8Array = new Uint8Array(0)
  #line = 1

  push(piece: Uint8Array): Utf8Text {
    const bytes = this.#cut.length === 0 ? piece : joined(this.#cut, piece)
    const whole = bytes.length - cutLength(bytes)
    // A copy: the piece is its owner's, who may use it again.
    this.#cut = bytes.slice(whole)
    return this.#read(bytes.subarray(0, whole))
  }

  /** The text has ended. */
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

  /** The longest start that is text: what begins as text does is so to any shorter length, too. */
  #goodStart(bytes: Uint8Array): string {
    let text = ''
    for (let good = 0, bad = bytes.length; good + 1 < bad;) {
      const middle = (good + bad) >> 1
      const start = bytes.subarray(0, middle)
      const found = this.#decode(start.subarray(0, middle - cutLength(start)))
      if (found === undefined) bad = middle
      else {
        good = middle
        text = found
      }
    }
    return text
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes)
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
}

/** Bytes at the end that begin a character and do not end it. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    // 10xxxxxx goes on with a character; 0xxxxxxx is one; 11… begins one of as many bytes as it has leading ones.
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}
