import { HermesError } from '../../../0-contracts/src/index.js'
import {
  type Definition, findIdentifiers, type LanguageId, parseDefinitions, ParseTime, type WantedName,
} from '../../../2-syntax/src/index.js'
import { excerpt, linesOf } from './symbol-lines.js'
import { type OnSkip, orSkip, type SkippedFile, type SourceFile } from './source-files.js'

const MOST_SKIPPED = 50

export interface SymbolRequest {
  wanted: WantedName
  /** Only of this kind. */
  kind: Definition['kind'] | undefined
  withReferences: boolean
  /** Definitions, and references, at most. */
  most: number
}

interface FoundReference {
  path: string
  line: number
  column: number
  text: string
}

interface FoundSymbol extends FoundReference {
  name: string
  kind: Definition['kind']
  end_line: number
  container?: string
  language: LanguageId
}

interface SymbolResult {
  symbols: FoundSymbol[]
  references?: FoundReference[]
  similar?: string[]
  skipped?: SkippedFile[]
}

/** Collects what is found in one file after the other. */
export class SymbolSearch {
  readonly symbols: FoundSymbol[] = []
  /** Definitions of the same name that were not meant. */
  readonly elsewhere: Definition[] = []
  readonly #references: FoundReference[] = []
  readonly #skipped: SkippedFile[] = []
  /** Of all files. */
  readonly time = new ParseTime()

  readonly #verb: string
  readonly #request: SymbolRequest

  constructor(verb: string, request: SymbolRequest) {
    this.#verb = verb
    this.#request = request
  }

  readonly onSkip: OnSkip = (skipped) => {
    if (this.#skipped.length < MOST_SKIPPED) this.#skipped.push(skipped)
  }

  async add(file: SourceFile): Promise<void> {
    const { shown: path, language } = file
    const { kind: only, withReferences, most } = this.#request
    const wanted = this.#request.wanted.in(language)
    const lines = linesOf(file.text)
    const parse = () => parseDefinitions(language, file.text, this.time)
    const definitions = await orSkip(this.#verb, path, this.onSkip, parse)
    const named = definitions?.filter(({ name }) => name === wanted.name) ?? []
    for (const definition of named) {
      if (!wanted.matches(definition) || (only ?? definition.kind) !== definition.kind) {
        this.elsewhere.push(definition)
        continue
      }
      const { name, kind, nameLine: line, nameColumn: column, endLine: end_line, container } = definition
      this.symbols.push({
        name, kind, path, line, column, end_line, ...(container !== undefined && { container }), language,
        text: excerpt(lines, line, line),
      })
    }
    if (withReferences && definitions) await this.#addReferences(file, named, lines)
    if (Math.max(this.symbols.length, this.#references.length) > most) throw this.#tooMany()
  }

  async #addReferences({ shown: path, language, text: source }: SourceFile, named: Definition[], lines: string[]) {
    const isDefined = new Set(named.map(({ nameLine, nameColumn }) => `${nameLine}:${nameColumn}`))
    const find = () => findIdentifiers(language, source, this.#request.wanted.name, this.time)
    for (const { line, column } of await orSkip(this.#verb, path, this.onSkip, find) ?? []) {
      if (isDefined.has(`${line}:${column}`)) continue
      this.#references.push({ path, line, column, text: excerpt(lines, line, line) })
    }
  }

  result(similar: readonly string[] = []): SymbolResult {
    return {
      symbols: this.symbols,
      ...(this.#request.withReferences && { references: this.#references }),
      ...(similar.length > 0 && { similar: [...similar] }),
      ...(this.#skipped.length > 0 && { skipped: this.#skipped }),
    }
  }

  #tooMany(): HermesError {
    const { most } = this.#request
    const what = this.symbols.length > most ? 'definitions' : 'references'
    this.symbols.length = Math.min(this.symbols.length, most)
    this.#references.length = Math.min(this.#references.length, most)
    return new HermesError('OUTPUT_LIMIT', `${this.#verb}: more than ${most} ${what}`, {
      hint: `The data holds the first ${most}. Write a narrower path, the container or the symbol_type for the others.`,
      data: this.result(),
    })
  }
}
