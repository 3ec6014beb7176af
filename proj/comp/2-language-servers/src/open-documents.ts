import { uriOf } from '../../2-files/src/index.js'
import { PositionedText, type PositionEncoding } from './protocol-positions.js'

/** Documents that are open at the same time; of more, those longest unused are closed. */
const MOST_OPEN = 200

type Notify = (method: string, params: object) => Promise<void>

interface OpenDocument {
  version: number
  /** What the server had told by then is about another text. */
  mark: number
  text: PositionedText
}

interface DocumentOptions {
  /** Whether the server takes changes; else a document is closed and opened again. */
  takesChanges: boolean
  tellsSaved: boolean
  mark: () => number
}

/** The files that a server was given the text of: it looks at the disk for all others. */
export class OpenDocuments {
  /** By path, the last used last. */
  readonly #open = new Map<string, OpenDocument>()
  #versions = 0

  constructor(
    private readonly notify: Notify, private readonly encoding: PositionEncoding,
    private readonly options: DocumentOptions,
  ) {}

  paths(): string[] {
    return [...this.#open.keys()]
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.get(path)
  }

  /** Gives the server the text of a file, if it has another one, or none. */
  async sync(path: string, languageId: string, text: string): Promise<void> {
    const known = this.#open.get(path)
    this.#open.delete(path)
    if (known?.text.text === text) {
      this.#open.set(path, known)
      return
    }
    const positioned = new PositionedText(text, this.encoding)
    const document = { version: ++this.#versions, mark: this.options.mark(), text: positioned }
    const uri = uriOf(path)
    if (known && this.options.takesChanges) {
      await this.notify('textDocument/didChange', {
        textDocument: { uri, version: document.version }, contentChanges: [{ text }],
      })
      if (this.options.tellsSaved) await this.notify('textDocument/didSave', { textDocument: { uri } })
    } else {
      if (known) await this.notify('textDocument/didClose', { textDocument: { uri } })
      await this.notify('textDocument/didOpen', {
        textDocument: { uri, languageId, version: document.version, text },
      })
    }
    this.#open.set(path, document)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MOST_OPEN && oldest !== undefined) await this.close(oldest)
  }

  async close(path: string): Promise<void> {
    if (this.#open.delete(path)) await this.notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } })
  }
}
