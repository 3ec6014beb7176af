import type { Line } from './line-reader.js'

/** The bytes of one JSON value in a file. */
export interface JsonPiece extends Line {
  /** The file ends inside it. */
  isCutOff?: true
  /** It is an element of an array that is the whole file. */
  isElement: boolean
}

const [QUOTE, BACKSLASH, LINE_FEED, COMMA] = [0x22, 0x5c, 0x0a, 0x2c]
const OPENS = new Set([0x5b, 0x7b])
const CLOSES = new Set([0x5d, 0x7d])
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])
const ARRAY = 0x5b

/**
 * Splits a stream with one or several JSON values; an array is split into its elements, so that a large one needs no
 * memory. Only looks at brackets and strings; the parser decides whether a piece is valid.
 */
export async function* splitJson(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<JsonPiece, void> {
  const splitter = new JsonSplitter(maxBytes)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.end()
}

class JsonSplitter {
  #held: Buffer[] = []
  #length = 0
  #line = 1
  #startLine = 1
  /** Length of the earlier chunks of the stream. */
  #before = 0
  #start = 0
  #depth = 0
  #inString = false
  #escaped = false
  #isArray = false
  #isInside = false

  constructor(private readonly maxBytes: number) {}

  *push(chunk: Buffer): Generator<JsonPiece, void> {
    let start = this.#isInside ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === LINE_FEED) this.#line++
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#inString = false
        continue
      }
      const base = this.#isArray ? 1 : 0
      if (!this.#isInside) {
        if (SPACE.has(byte)) continue
        if (byte === ARRAY && this.#depth === 0) {
          this.#isArray = true
          this.#depth = 1
          continue
        }
        if (this.#isArray && byte === COMMA) continue
        if (this.#isArray && CLOSES.has(byte)) {
          this.#closeArray()
          continue
        }
        this.#isInside = true
        this.#startLine = this.#line
        start = at
        this.#start = this.#before + at
      }
      if (byte === QUOTE) this.#inString = true
      else if (OPENS.has(byte)) this.#depth++
      else if (CLOSES.has(byte)) {
        const isOwn = this.#depth > base
        if (isOwn) this.#depth--
        if (this.#depth > base) continue
        this.#take(chunk.subarray(start, isOwn ? at + 1 : at))
        start = -1
        yield this.#piece()
        // A bare value may be followed by the end of the array.
        if (!isOwn) this.#closeArray()
      } else if (this.#depth === base && (byte === COMMA || (base === 0 && byte === LINE_FEED))) {
        this.#take(chunk.subarray(start, at))
        start = -1
        yield this.#piece()
      }
    }
    if (start !== -1) this.#take(chunk.subarray(start))
    this.#before += chunk.length
  }

  *end(): Generator<JsonPiece, void> {
    if (!this.#isInside) return
    const isCutOff = this.#depth > 0 || this.#inString
    yield { ...this.#piece(), ...(isCutOff && { isCutOff: true as const }) }
  }

  #closeArray(): void {
    this.#isArray = false
    this.#depth = 0
  }

  #take(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= this.maxBytes) this.#held.push(part)
    else this.#held = []
  }

  #piece(): JsonPiece {
    const isTooLong = this.#length > this.maxBytes
    const piece: JsonPiece = {
      line: this.#startLine, start: this.#start, bytes: isTooLong ? Buffer.alloc(0) : Buffer.concat(this.#held),
      isElement: this.#isArray, ...(isTooLong && { tooLong: this.#length }),
    }
    this.#held = []
    this.#length = 0
    this.#isInside = false
    return piece
  }
}
