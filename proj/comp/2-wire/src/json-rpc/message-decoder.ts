import { isUtf8 } from 'node:buffer'
import { ByteQueue } from './byte-queue.js'
import { parseMessage } from './exact-ids.js'
import { HEAD_BYTES, messageHead, type MessageHead } from './message-head.js'
import { RPC } from './rpc-codes.js'
import { HeaderSearch } from './header-search.js'
import { badStart, findCutHeader, findStrayHeader, readHeader, STRAY_HEADER_BYTES } from './frame-header.js'
import type { WireError } from './rpc-error.js'

/** What was read: a value, or what to answer to bytes that are none. */
export type Decoded = { value: unknown; bytes: number } | Undecoded
export interface Undecoded {
  error: WireError
  /** Of what is told, where the message is too large to be read. */
  head?: MessageHead | undefined
  isTooLarge?: boolean
}

const MAX_HEADER_BYTES = 4096
/** So many times larger than what is taken, a length is no length of a message. */
const MOST_TIMES_TOO_LARGE = 16
const BLANK_LINE = '\r\n\r\n'

/**
 * Content-Length frames (seed 001) out of bytes that may come in any pieces. Whatever cannot be read costs itself only:
 * reading goes on after it, or where the next header is found. Each byte is looked at a bounded number of times.
 */
export class MessageDecoder {
  readonly #maxMessageBytes: number
  readonly #queue = new ByteQueue()
  /** Length of the body to come, once its header has been read. */
  #length: number | undefined
  /** Looks for a header in what has come of that body. */
  #search: HeaderSearch | undefined
  /** Why a message is too large; told once its beginning has come, which says whose it is. */
  #tooLarge: WireError | undefined
  /** Bytes of a refused message still to come. */
  #skip = 0
  /** Of what is skipped nothing is counted as lost: its length said what it is. */
  #isSkipKnown = true
  /** What comes is no frame: the other side has been told, and the next header is looked for. */
  #lost = false
  /** How many bytes may be read a second time: as many as came. */
  #rereadable = 0
  readonly #onLost: (bytes: number) => void

  /** @param onLost told how many bytes were no message, as they come */
  constructor(maxMessageBytes: number, onLost: (bytes: number) => void = () => undefined) {
    this.#maxMessageBytes = maxMessageBytes
    this.#onLost = onLost
  }

  /** Bytes held. */
  get size(): number {
    return this.#queue.size
  }

  /** The input may end here. */
  get isBetweenMessages(): boolean {
    return this.#queue.size === 0 && this.#skip === 0 && this.#length === undefined
  }

  push(chunk: Buffer): void {
    this.#rereadable += chunk.length
    this.#queue.push(chunk)
    this.#search?.add(chunk)
  }

  /** The next message, or `undefined` until more has come. */
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
    const bytes = this.#queue.peek(MAX_HEADER_BYTES)
    const text = bytes.toString('latin1', 0, MAX_HEADER_BYTES)
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
    if (header.length >= this.#maxMessageBytes) {
      const message = `A message must be smaller than ${this.#maxMessageBytes} bytes; this one has ${header.length}`
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
      this.#onLost(length)
      this.#putBack(body)
      return { error: { code: RPC.parseError, message } }
    }
    if (!isUtf8(body)) return failure('The message is no UTF-8')
    try {
      return { value: parseMessage(body.toString('utf8')), bytes: length }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return failure(`The message is no JSON (is its Content-Length ${length} its number of bytes?): ${error.message}`)
    }
  }

  /** A length that is too large would swallow all that follows until it is reached. */
  #wrongLength(length: number): Decoded | undefined {
    this.#search ??= new HeaderSearch(this.#queue.peek(this.#queue.size))
    const { found } = this.#search
    if (found === undefined) return undefined
    this.#drop(found)
    this.#length = undefined
    this.#search = undefined
    return { error: {
      code: RPC.parseError, message: `Content-Length is ${length}, but the next message begins after ${found} bytes`,
    } }
  }

  /**
   * A body that is no JSON may have swallowed the header of the next message, or its beginning. What a text quotes is
   * never taken for one: it has no raw line break, and nothing that is JSON once a quotation mark ends it.
   */
  #putBack(body: Buffer): void {
    const whole = findStrayHeader(body)
    const at = whole === -1 ? findCutHeader(body) : whole
    if (at === -1 || body.length - at > this.#rereadable) return
    this.#rereadable -= body.length - at
    this.#queue.unshift(body.subarray(at))
    // Its beginning alone may be none; what it belongs to has been told of.
    if (whole === -1) this.#lost = true
  }

  /** Told once for all that is no frame. */
  #lose(message: string, bytes: number): WireError | undefined {
    this.#drop(bytes)
    if (this.#lost) return undefined
    this.#lost = true
    return { code: RPC.parseError, message }
  }

  #refuse(header: number, body: number): void {
    this.#queue.drop(header)
    this.#skip = body
    this.#isSkipKnown = body <= this.#maxMessageBytes * MOST_TIMES_TOO_LARGE
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

  /** A length that is wrong must not swallow what follows; the end is kept, a header may begin there. */
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
    if (bytes > 0) this.#onLost(bytes)
  }

  /** Drops what is before the next header; the end is kept, it may be the beginning of one. */
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
