import type { Facts, Occurrence, VisibleDefinition } from '../../2-syntax/src/index.js'
import type { FileRecord } from './file-record.js'
import type { Overlay } from './overlay.js'
import type { Entry, Segment } from './segment.js'
import type { SkippedFile, SourceFile, Unparsed } from './found-files.js'

/** A file in a view. */
export interface IndexedFile extends SourceFile {
  /** Index in the view. */
  index: number
}

export interface DefinitionAt {
  file: IndexedFile
  definition: VisibleDefinition
}

export interface OccurrenceAt {
  file: IndexedFile
  occurrence: Occurrence
}

interface ViewParts {
  files: readonly (SourceFile & { key: string })[]
  skipped: SkippedFile[]
  unparsed: readonly Unparsed[]
  base: Segment | undefined
  inBase: ReadonlyMap<string, number>
  overlay: Overlay
}

/** The present source files of a scope that the gate allows to be read. Valid until the index is refreshed again. */
export class IndexView {
  /** Sorted by path. */
  readonly files: readonly IndexedFile[]
  /** Files that could not be searched. */
  readonly skipped: readonly SkippedFile[]
  readonly unparsed: readonly Unparsed[]
  readonly #keys: readonly string[]
  readonly #byKey = new Map<string, IndexedFile>()
  /** By index in the base: the file of this view, if unchanged since. */
  readonly #ofBase: (IndexedFile | undefined)[] = []
  /** By index in this view: the index in the base, if unchanged since. */
  readonly #inBase: (number | undefined)[] = []
  readonly #base: Segment | undefined
  readonly #overlay: Overlay
  #byPath: ReadonlyMap<string, IndexedFile> | undefined
  /** Names defined by files of the view that are not in the base, or changed since. */
  #overlaid: ReadonlySet<string> | undefined

  constructor({ files, skipped, unparsed, base, inBase, overlay }: ViewParts) {
    this.#base = base
    this.#overlay = overlay
    this.#keys = files.map(({ key }) => key)
    this.files = files.map(({ path, shown, language }, index) => ({ path, shown, language, index }))
    this.unparsed = unparsed
    const problems: SkippedFile[] = []
    for (const [index, key] of this.#keys.entries()) {
      const file = this.files[index]!
      const inOld = overlay.has(key) ? undefined : inBase.get(key)
      if (inOld !== undefined) this.#ofBase[inOld] = file
      this.#inBase.push(inOld)
      this.#byKey.set(key, file)
      const problem = this.#stateOf(file)?.problem
      if (problem !== undefined) problems.push({ path: file.shown, reason: problem })
    }
    this.skipped = [...skipped, ...problems].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** All definitions of a name, parameters included, sorted by path and place. */
  definitionsNamed(name: string): DefinitionAt[] {
    const names = this.#found(name).filter(({ definitions }) => definitions > 0)
    return names.flatMap(({ file, record, id }) => (
      record().definitionsOf(id).map((definition) => ({ file, definition }))
    ))
  }

  /** All identifiers with a name, definitions included, sorted by path and place. */
  occurrencesOf(name: string): OccurrenceAt[] {
    return this.#found(name).flatMap(({ file, record, id }) => (
      record().occurrences(id).map((occurrence) => ({ file, occurrence }))
    ))
  }

  /** Files that contain a name and have syntax errors. */
  brokenFilesWith(name: string): IndexedFile[] {
    return this.#found(name).filter(({ file }) => this.isBroken(file)).map(({ file }) => file)
  }

  /** Whether a file has syntax errors. */
  isBroken(file: IndexedFile): boolean {
    return this.#stateOf(file)?.isBroken === true
  }

  /** Number of definitions of a name, and of identifiers, definitions included. */
  countsOf(name: string): { definitions: number; occurrences: number; files: number } {
    const counts = { definitions: 0, occurrences: 0, files: 0 }
    for (const { definitions, occurrences } of this.#found(name)) {
      counts.definitions += definitions
      counts.occurrences += occurrences
      if (occurrences > 0) counts.files++
    }
    return counts
  }

  /** Files that contain a name, with counts; definitions include locals and parameters. */
  filesNaming(name: string): { file: IndexedFile; definitions: number; occurrences: number }[] {
    return this.#found(name).map(({ file, definitions, occurrences }) => ({ file, definitions, occurrences }))
  }

  /**
   * All defined names, parameters included, without duplicates, in any order. Some may only be defined outside the
   * view: see `isDefined`.
   */
  definedNames(): Iterable<string> {
    const base = this.#base?.definedNames() ?? []
    const overlaid = this.#overlaidNames()
    return overlaid.size === 0 ? base : new Set([...base, ...overlaid])
  }

  /** Whether a file of the view defines a name, possibly as a parameter. */
  isDefined(name: string): boolean {
    const inBase = this.#base?.postings(name) ?? []
    return inBase.some(({ file, definitions }) => definitions > 0 && this.#ofBase[file] !== undefined)
      || this.#overlaidNames().has(name)
  }

  #overlaidNames(): ReadonlySet<string> {
    if (this.#overlaid) return this.#overlaid
    const names = new Set<string>()
    for (const [name, key] of this.#overlay.defined()) if (this.#byKey.has(key)) names.add(name)
    return this.#overlaid = names
  }

  /** All facts of a file; `undefined` where it could not be parsed. */
  facts(file: IndexedFile): Facts | undefined {
    return this.#recordOf(file)?.facts()
  }

  /** Only the definitions of `facts`, which is much faster. */
  definitionsIn(file: IndexedFile): VisibleDefinition[] {
    return this.#recordOf(file)?.definitions() ?? []
  }

  /** Only the imports of `facts`. */
  importsIn(file: IndexedFile): Facts['imports'] {
    return this.#recordOf(file)?.imports() ?? []
  }

  /** Line ranges of a file with syntax errors. */
  errorsIn(file: IndexedFile): Facts['errors'] {
    return this.#recordOf(file)?.errors() ?? []
  }

  /** The file with this approved path. */
  fileAt(path: string): IndexedFile | undefined {
    this.#byPath ??= new Map(this.files.map((file) => [file.path, file]))
    return this.#byPath.get(path)
  }

  #recordOf({ index }: IndexedFile): FileRecord | undefined {
    const file = this.#inBase[index]
    const record = file === undefined ? this.#overlay.record(this.#keys[index] ?? '') : this.#base?.record(file)
    return record?.bytes.length === 0 ? undefined : record
  }

  #stateOf({ index }: IndexedFile): Omit<Entry, 'record'> | undefined {
    const file = this.#inBase[index]
    return file === undefined ? this.#overlay.get(this.#keys[index] ?? '') : this.#base?.state(file)
  }

  /** Files of the view that contain a name, sorted by path. */
  #found(name: string): FoundName[] {
    const names: FoundName[] = []
    for (const { file: inBase, id, definitions, occurrences } of this.#base?.postings(name) ?? []) {
      const file = this.#ofBase[inBase]
      if (file === undefined) continue
      const record = (): FileRecord => this.#base!.record(inBase)
      names.push({ file, record, id, definitions, occurrences })
    }
    for (const { key, record, ...rest } of this.#overlay.named(name)) {
      const file = this.#byKey.get(key)
      if (file) names.push({ file, record: () => record, ...rest })
    }
    return names.sort((a, b) => a.file.index - b.file.index)
  }
}

interface FoundName {
  file: IndexedFile
  record: () => FileRecord
  id: number
  definitions: number
  occurrences: number
}
