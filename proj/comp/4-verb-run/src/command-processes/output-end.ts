import { StringDecoder } from 'node:string_decoder'
import type { VerbContext } from '../../../0-contracts/src/index.js'

/** How much of the latest output is examined, in UTF-16 units. */
const KEPT = 16_384
/** Time between two reports, in milliseconds. A command that ends before the first is reported by its result alone. */
const EVERY_MS = 200

/** Reports a growing text to a listener, a few times a second at most. */
export class TextTeller {
  #timer: NodeJS.Timeout | undefined
  #failure: { error: unknown } | undefined

  constructor(private readonly read: () => string, private readonly tell: (text: string) => void) {}

  /** Call it when the text has grown. */
  came(): void {
    if (this.#failure) return
    this.#timer ??= setTimeout(() => this.#look(), EVERY_MS).unref()
  }

  /** Stops reporting. @throws what the listener threw */
  end(): void {
    clearTimeout(this.#timer)
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }

  #look(): void {
    this.#timer = undefined
    try {
      this.tell(this.read())
    } catch (error) {
      // Nobody could catch an error in the timer: keep it, so that the call fails with it when its command has ended.
      this.#failure = { error }
    }
  }
}

/** Reports the end of a program's output while it runs. */
export class OutputEnd {
  readonly #teller: TextTeller
  #text = ''

  constructor(tell: NonNullable<VerbContext['printing']>) {
    // Without the last word, which may be incomplete: half a secret would not be recognised as one.
    this.#teller = new TextTeller(() => this.#text.replace(/\S+$/, ''), tell)
  }

  /** Returns a function that takes the chunks of one output stream. */
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

function fromLineStart(text: string): string {
  return text.slice(text.search(/[\r\n]/) + 1)
}
