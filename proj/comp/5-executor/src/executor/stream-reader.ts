import type { StreamOptions } from '../../../0-contracts/src/index.js'
import {
  AnswerRules, beginsAsResponse, BlockReader, BlockScanner, mayBeginAsResponse, readResponseEvents, type ReadEvent,
  type ScanOptions,
} from '../../../1-reading/src/index.js'

/** Reads a text that arrives in chunks; returns after each chunk what is decided by it, in text order. */
export class StreamReader {
  readonly #scanner: BlockScanner
  readonly #rules: AnswerRules
  readonly #events: ReadEvent[] = []
  /** The text so far, as long as it may be a saved API response. */
  #held: string | undefined
  #isDecided = false

  /** @param readResponse reads a text that is a saved API response, which is held until it has ended */
  constructor(private readonly options: ScanOptions, private readonly readResponse?: StreamOptions['readResponse']) {
    const reader = new BlockReader()
    this.#held = readResponse && ''
    this.#rules = new AnswerRules(options.editFormats)
    this.#scanner = new BlockScanner((item) => {
      for (const event of reader.read(item)) this.#events.push(...this.#rules.take(event))
    }, options)
  }

  read(piece: string): ReadEvent[] {
    if (this.#held === undefined) this.#scanner.push(piece)
    else this.#hold(this.#held + piece)
    return this.#events.splice(0)
  }

  /** Ends the text: returns the events of what was still open. */
  async end(): Promise<ReadEvent[]> {
    const held = this.#held ?? ''
    const response = beginsAsResponse(held) ? await this.readResponse?.(held) : undefined
    if (response) return readResponseEvents(response, this.options)
    this.#scanner.push(held)
    this.#scanner.end()
    this.#events.push(...this.#rules.end())
    return this.#events.splice(0)
  }

  #hold(text: string): void {
    this.#held = text
    if (this.#isDecided || mayBeginAsResponse(text)) return
    this.#isDecided = true
    if (beginsAsResponse(text)) return
    this.#held = undefined
    this.#scanner.push(text)
  }
}
