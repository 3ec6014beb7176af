import { StringDecoder } from 'node:string_decoder'
import type { VerbContext } from '../../../0-contracts/src/index.js'

/** So much of what was printed last is looked at, in UTF-16 units. */
const KEPT = 16_384
/** Between two looks, in milliseconds. A command that ends before the first is told of by its result alone. */
const EVERY_MS = 200

/** Tells a text that grows, a few times a second at most. */
export class TextTeller {
  readonly #read: () => string
  readonly #tell: (text: string) => void
  #timer: NodeJS.Timeout | undefined
  #failure: { error: unknown } | undefined

  constructor(read: () => string, tell: (text: string) => void) {
    this.#read = read
    this.#tell = tell
  }

  /** It has grown. */
  came(): void {
    if (this.#failure) return
    this.#timer ??= setTimeout(() => this.#look(), EVERY_MS).unref()
  }

  /** Tells no more. @throws what the listener threw */
  end(): void {
    clearTimeout(this.#timer)
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }

  #look(): void {
    this.#timer = undefined
    try {
      this.#tell(this.#read())
    } catch (error) {
      // The timer has nobody to catch it: the call fails with it when its command has ended.
      this.#failure = { error }
    }
  }
}

/** The end of what a program prints on its streams, told while it runs. */
export class OutputEnd {
  readonly #teller: TextTeller
  #text = ''

  constructor(tell: NonNullable<VerbContext['printing']>) {
    this.#teller = new TextTeller(() => wholeWords(this.#text), tell)
  }

  /** Takes the pieces of one of its streams. */
  stream(): (chunk: Uint8Array) => void {
    const decoder = new StringDecoder('utf8')
    return (chunk) => {
      const text = this.#text + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      this.#text = text.length <= KEPT ? text : fromLineStart(text.slice(-KEPT))
      this.#teller.came()
    }
  }

  /** @throws what the listener threw */
  end(): void {
    this.#teller.end()
  }
}

/** The last word may go on, and half a secret could not be told as one. */
function wholeWords(text: string): string {
  return text.replace(/\S+$/, '')
}

function fromLineStart(text: string): string {
  return text.slice(text.search(/[\r\n]/) + 1)
}
