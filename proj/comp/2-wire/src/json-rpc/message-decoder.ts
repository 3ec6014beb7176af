import { caught } from '../../../0-contracts/src/index.js'
import { isUtf8 } from 'node:buffer'
import { ByteQueue } from './byte-queue.js'
import { parseMessage } from './exact-ids.js'
import { HEAD_BYTES, messageHead, type MessageHead } from './message-head.js'
import { RPC } from './rpc-codes.js'
import { badStart, findCutHeader, findStrayHeader, readHeader, STRAY_HEADER_BYTES } from './frame-header.js'
import type { WireError } from './rpc-error.js'

/** A parsed value, or the error to answer for invalid bytes. */
export type Decoded = { value: unknown; bytes: number } | Undecoded
export interface Undecoded {
  error: WireError
  /** Head of a message that is too large to be read. */
  head?: MessageHead | undefined
  isTooLarge?: boolean
}

const MAX_HEADER_BYTES = 4096
/** A length this many times over the limit is taken for a wrong length. */
const MOST_TIMES_TOO_LARGE = 16
const BLANK_LINE = '\r\n\r\n'

/** Looks for the header of a message in a body that comes in pieces, each of which is looked at once. */
class HeaderSearch {
  /** Where it begins, counted from the beginning of the body. */
  begin: number | undefined
  #size = 0
  /** A header may be cut. */
  #tail: Buffer = Buffer.alloc(0)

  constructor(begun: Buffer) {
    this.add(begun)
  }

  add(chunk: Buffer): void {
    if (this.begin !== undefined) return
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk])
    const at = findStrayHeader(bytes)
    if (at !== -1) this.begin = this.#size - this.#tail.length + at
    this.#size += chunk.length
    this.#tail = Buffer.from(bytes.subarray(-STRAY_HEADER_BYTES))
  }
}

/**
 * Parses Content-Length frames (docs/extensions.md) from bytes in any pieces. Invalid input only costs itself: reading
 * continues behind it, or at the next header. Each byte is examined a bounded number of times.
 */
export class MessageDecoder {
  readonly #queue = new ByteQueue()
  /** Length of the body, once its header has been read. */
  #length: number | undefined
  /** Searches for a header in the incomplete body. */
  #search: HeaderSearch | undefined
  /** Why a message is too large; reported once its beginning, with its id, has come. */
  #tooLarge: WireError | undefined
  /** Bytes of a refused message still to skip. */
  #skip = 0
  /** Skipped bytes do not count as lost, since their length is known. */
  #isSkipKnown = true
  /** The input is no frame: the error was reported, and the next header is searched. */
  #lost = false
  /** Number of bytes that may be read a second time: as many as were received. */
  #rereadable = 0

  /** @param onLost called with the number of bytes that were no message */
  constructor(
    private readonly maxMessageBytes: number, private readonly onLost: (bytes: number) => void = () => undefined,
  ) {}

  /** Number of buffered bytes. */
  get size(): number {
    return this.#queue.size
  }

  /** Whether the input may end here. */
  get isBetweenMessages(): boolean {
    return this.#queue.size === 0 && this.#skip === 0 && this.#length === undefined
  }

  push(chunk: Buffer): void {
    this.#rereadable += chunk.length
    this.#queue.push(chunk)
    this.#search?.add(chunk)
  }

  /** The next message; `undefined` until more bytes have come. */
  next(): Decoded | undefined {
    for (;;) {
      if (this.#tooLarge) return this.#refused(this.#tooLarge)
      if (this.#skip > 0) this.#skipBody()
      if (this.#skip > 0 || (this.#queue.size === 0 && this.#length !== 0)) return undefined
      if (this.#length !== undefined) return this.#body(this.#length)
      if (this.#lost && !this.#findHeader()) return undefined
      const error = this.#header()
      if (error === 'incomplete') return undefined
      if (error) return { error }
    }
  }

  #header(): WireError | 'incomplete' | undefined {
    const text = this.#queue.peek(MAX_HEADER_BYTES).toString('latin1', 0, MAX_HEADER_BYTES)
    const end = text.indexOf(BLANK_LINE)
    if (end === -1) {
      const message = text.length === MAX_HEADER_BYTES ? `A header of more than ${MAX_HEADER_BYTES} bytes`
        : badStart(text)
      return message === undefined ? 'incomplete' : this.#lose(message, 1)
    }
    const header = readHeader(text.slice(0, end))
    const size = end + BLANK_LINE.length
    if (!header.ok) {
      if (header.length === undefined) return this.#lose(header.message, header.glued ? 1 : size)
      this.#refuse(size, header.length)
      return { code: RPC.parseError, message: header.message }
    }
    if (header.length >= this.maxMessageBytes) {
      const message = `A message must be smaller than ${this.maxMessageBytes} bytes; this one has ${header.length}`
      this.#refuse(size, header.length)
      this.#tooLarge = { code: RPC.invalidRequest, message }
      return undefined
    }
    this.#queue.drop(size)
    this.#length = header.length
    return undefined
  }

  #body(length: number): Decoded | undefined {
    if (this.#queue.size < length) return this.#wrongLength(length)
    this.#length = undefined
    this.#search = undefined
    this.#lost = false
    const body = this.#queue.take(length)
    const failure = (message: string): Decoded => {
      this.onLost(length)
      this.#putBack(body)
      return { error: { code: RPC.parseError, message } }
    }
    if (!isUtf8(body)) return failure('The message is no UTF-8')
    return caught(SyntaxError, () => ({ value: parseMessage(body.toString('utf8')), bytes: length }), ({ message }) => (
      failure(`The message is no JSON (is its Content-Length ${length} its number of bytes?): ${message}`)
    ))
  }

  /** Handles a wrong length, which would swallow all input up to its end. */
  #wrongLength(length: number): Decoded | undefined {
    this.#search ??= new HeaderSearch(this.#queue.peek(this.#queue.size))
    const { begin } = this.#search
    if (begin === undefined) return undefined
    this.#drop(begin)
    this.#length = undefined
    this.#search = undefined
    return { error: {
      code: RPC.parseError, message: `Content-Length is ${length}, but the next message begins after ${begin} bytes`,
    } }
  }

  /**
   * A body that is no JSON may have swallowed the header of the next message, or its beginning: puts that back. Quoted
   * text is never taken for a header, as it has no raw line break and is no JSON after a closing quote.
   */
  #putBack(body: Buffer): void {
    const whole = findStrayHeader(body)
    const at = whole === -1 ? findCutHeader(body) : whole
    if (at === -1 || body.length - at > this.#rereadable) return
    this.#rereadable -= body.length - at
    this.#queue.unshift(body.subarray(at))
    // The incomplete header may be none; its body has already been reported.
    if (whole === -1) this.#lost = true
  }

  /** Reports once for consecutive bytes that are no frame. */
  #lose(message: string, bytes: number): WireError | undefined {
    this.#drop(bytes)
    if (this.#lost) return undefined
    this.#lost = true
    return { code: RPC.parseError, message }
  }

  #refuse(header: number, body: number): void {
    this.#queue.drop(header)
    this.#skip = body
    this.#isSkipKnown = body <= this.maxMessageBytes * MOST_TIMES_TOO_LARGE
    this.#lost = false
  }

  #refused(error: WireError): Undecoded | undefined {
    const wanted = Math.min(this.#skip, HEAD_BYTES)
    const begun = this.#queue.peek(wanted + STRAY_HEADER_BYTES).subarray(0, wanted)
    const next = findStrayHeader(begun)
    if (begun.length < wanted && next === -1) return undefined
    this.#tooLarge = undefined
    return { error, isTooLarge: true, head: messageHead(next === -1 ? begun : begun.subarray(0, next)) }
  }

  /** Skips a body, but keeps its end, where a header may begin. */
  #skipBody(): void {
    const isWhole = this.#queue.size >= this.#skip
    const bytes = this.#queue.peek(Math.min(this.#skip + STRAY_HEADER_BYTES, this.#queue.size))
    const at = findStrayHeader(bytes)
    const isHeader = at !== -1 && at < this.#skip
    const dropped = isHeader ? at : isWhole ? this.#skip : Math.max(0, bytes.length - STRAY_HEADER_BYTES)
    if (this.#isSkipKnown) this.#queue.drop(dropped)
    else this.#drop(dropped)
    this.#skip = isHeader || isWhole ? 0 : this.#skip - dropped
  }

  #drop(bytes: number): void {
    this.#queue.drop(bytes)
    if (bytes > 0) this.onLost(bytes)
  }

  /** Drops bytes before the next header, but keeps the end, which may be the start of one. */
  #findHeader(): boolean {
    for (;;) {
      const bytes = this.#queue.peek(STRAY_HEADER_BYTES * 2)
      const at = findStrayHeader(bytes)
      if (at !== -1) {
        this.#drop(at)
        return true
      }
      this.#drop(Math.max(0, bytes.length - STRAY_HEADER_BYTES))
      if (this.#queue.size <= STRAY_HEADER_BYTES) return false
    }
  }
}
