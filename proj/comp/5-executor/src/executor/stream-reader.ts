import {
  BlockReader, BlockScanner, WholeOrEdited, type ReadEvent, type ScanOptions,
} from '../../../1-reading/src/index.js'

/** Reads a text piece by piece: what each piece decides, in text order. */
export class StreamReader {
  readonly #scanner: BlockScanner
  readonly #files: WholeOrEdited
  #events: ReadEvent[] = []

  constructor(options: ScanOptions) {
    const reader = new BlockReader()
    this.#files = new WholeOrEdited(options.editFormats)
    this.#scanner = new BlockScanner((item) => {
      for (const event of reader.read(item)) this.#events.push(...this.#files.take(event))
    }, options)
  }

  read(piece: string): ReadEvent[] {
    this.#scanner.push(piece)
    return this.#take()
  }

  /** The text has ended: what was still open. */
  end(): ReadEvent[] {
    this.#scanner.end()
    this.#events.push(...this.#files.end())
    return this.#take()
  }

  #take(): ReadEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
