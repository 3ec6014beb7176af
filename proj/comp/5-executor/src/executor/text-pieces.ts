import { HermesError } from '../../../0-contracts/src/index.js'
import { Utf8Reader, type Utf8Text } from '../../../0-text/src/index.js'

/** A piece of an answer that still arrives; bytes are UTF-8, cut anywhere. */
export type TextChunk = string | Uint8Array

/** The part of `ReadableStream` that is used, so that any library's streams fit. */
export interface ReadableText {
  getReader(): {
    read(): Promise<{ done: boolean; value?: TextChunk | undefined }>
    cancel(reason?: unknown): Promise<void>
    releaseLock(): void
  }
}

/** A text in chunks: strings, or bytes of UTF-8. Node's streams and the body of a `fetch` are such sources. */
export type TextSource = AsyncIterable<TextChunk> | Iterable<TextChunk> | ReadableText

type Next = { done?: boolean | undefined; value?: unknown }

interface Feed {
  next(): Next | Promise<Next>
  /** Stops the source. @param isWaiting a chunk was requested and has not arrived */
  stop(isWaiting: boolean): unknown
}

/** Longest chunk passed on, in UTF-16 units: what is read of one is held in memory until it has run. */
const LONGEST = 64 * 1024

/** Pulls a text chunk by chunk: the next is requested only once the previous one was taken. */
export class TextPieces {
  readonly #feed: Feed
  readonly #utf8 = new Utf8Reader()
  #ready = ''
  #problem: HermesError | undefined
  /** Whether the source has ended. */
  ended = false
  #isWaiting = false
  #wake: (() => void) | undefined
  readonly #onAbort = (): void => this.#wake?.()

  /**
   * @param signal aborts waiting for a chunk
   * @throws HermesError `INVALID_OPTION` where it is not a source
   */
  constructor(source: TextSource, private readonly signal: AbortSignal) {
    this.#feed = feedOf(source)
    signal.addEventListener('abort', this.#onAbort)
  }

  /**
   * @returns the next chunk, never empty; `undefined` when the text has ended or the signal is aborted
   * @throws what the source throws; HermesError `NOT_TEXT` for bytes that are not UTF-8, once everything before them
   * was taken, and `INVALID_OPTION` for chunks that are neither strings nor bytes
   */
  async next(): Promise<string | undefined> {
    while (this.#ready === '') {
      if (this.#problem) throw this.#problem
      if (this.ended || this.signal.aborted) return undefined
      this.#take(await this.#pull())
    }
    if (this.signal.aborted) return undefined
    const piece = this.#ready.slice(0, LONGEST)
    this.#ready = this.#ready.slice(LONGEST)
    return piece
  }

  /** Stops the source, if it has not ended. */
  async release(): Promise<void> {
    this.signal.removeEventListener('abort', this.#onAbort)
    if (this.ended) return
    this.ended = true
    const stopped = this.#feed.stop(this.#isWaiting)
    // A source that is itself waiting may stop late, or fail: no longer of interest.
    if (this.#isWaiting) Promise.resolve(stopped).catch(() => undefined)
    else await stopped
  }

  /** Requests the next chunk; `undefined` where the signal came first. */
  async #pull(): Promise<Next | undefined> {
    try {
      const next = this.#feed.next()
      if (!('then' in next)) return next
      this.#isWaiting = true
      const came = await new Promise<Next | undefined>((resolve, reject) => {
        this.#wake = () => resolve(undefined)
        next.then(resolve, reject)
      })
      if (came !== undefined) this.#isWaiting = false
      return came
    } catch (error) {
      this.ended = true
      throw error
    }
  }

  #take(next: Next | undefined): void {
    if (next === undefined) return
    const { done, value } = next
    if (done) {
      this.ended = true
      this.#add(this.#utf8.end())
    } else if (typeof value === 'string') {
      const { text, badLine } = this.#utf8.end()
      this.#add({ text: text + value, ...(badLine !== undefined && { badLine }) })
    } else if (value instanceof Uint8Array) this.#add(this.#utf8.push(value))
    else this.#problem = notText()
  }

  #add({ text, badLine }: Utf8Text): void {
    this.#ready = text
    if (badLine === undefined) return
    this.#problem = new HermesError(
      'NOT_TEXT', `The text is not valid UTF-8: line ${badLine}`, { hint: 'Send it as UTF-8.' },
    )
  }
}

function feedOf(source: unknown): Feed {
  if (typeof source === 'string') return feedOf([source])
  if (typeof source === 'object' && source !== null) {
    if (isReadable(source)) return readerFeed(source)
    if (Symbol.asyncIterator in source) {
      return iteratorFeed(source, (source as AsyncIterable<unknown>)[Symbol.asyncIterator]())
    }
    if (Symbol.iterator in source) return iteratorFeed(source, (source as Iterable<unknown>)[Symbol.iterator]())
  }
  throw notText()
}

function isReadable(source: object): source is ReadableText {
  return 'getReader' in source && typeof source.getReader === 'function'
}

function readerFeed(source: ReadableText): Feed {
  const reader = source.getReader()
  return {
    async next() {
      const next = await reader.read()
      if (next.done) reader.releaseLock()
      return next
    },
    async stop() {
      await reader.cancel()
      reader.releaseLock()
    },
  }
}

function iteratorFeed(source: object, iterator: AsyncIterator<unknown> | Iterator<unknown>): Feed {
  return {
    next: () => iterator.next(),
    stop(isWaiting) {
      // The iterator of a Node stream would first wait for the next chunk, so destroy the stream.
      if (isWaiting && 'destroy' in source && typeof source.destroy === 'function') source.destroy()
      return iterator.return?.()
    },
  }
}

function notText(): HermesError {
  return new HermesError('INVALID_OPTION', 'The text must come in pieces: strings, or bytes of UTF-8', {
    hint: "Give the pieces of the model's answer: an array, an async iterable, or a ReadableStream.",
  })
}
