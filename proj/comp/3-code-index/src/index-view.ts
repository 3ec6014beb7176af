import type { Facts, Occurrence, VisibleDefinition } from '../../2-syntax/src/index.js'
import type { FileRecord } from './file-record.js'
import type { Overlay } from './overlay.js'
import type { Segment } from './segment.js'
import type { SkippedFile, SourceFile, Unparsed } from './found-files.js'

/** A file of a view. */
export interface IndexedFile extends SourceFile {
  /** In the order of the view. */
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

/**
 * The source files of a scope as they are now, all that the gate lets be read and no others. It holds until the index
 * is refreshed again.
 */
export class IndexView {
  /** In the order of their paths. */
  readonly files: readonly IndexedFile[]
  /** What could not be searched. */
  readonly skipped: readonly SkippedFile[]
  readonly unparsed: readonly Unparsed[]
  readonly #keys: readonly string[]
  readonly #byKey: ReadonlyMap<string, IndexedFile>
  /** The file of each in the base, where it is of this view and has not changed since. */
  readonly #ofBase: (IndexedFile | undefined)[] = []
  /** Where each file of this view is in the base, if it has not changed since. */
  readonly #inBase: (number | undefined)[] = []
  readonly #base: Segment | undefined
  readonly #overlay: Overlay
  #byPath: ReadonlyMap<string, IndexedFile> | undefined
  /** Names that files of the view define which are not in the base, or changed since. */
  #overlaid: ReadonlySet<string> | undefined

  constructor({ files, skipped, unparsed, base, inBase, overlay }: ViewParts) {
    this.#base = base
    this.#overlay = overlay
    this.#keys = files.map(({ key }) => key)
    this.files = files.map(({ path, shown, language }, index) => ({ path, shown, language, index }))
    this.unparsed = unparsed
    const problems: SkippedFile[] = []
    const byKey = new Map<string, IndexedFile>()
    for (const [index, key] of this.#keys.entries()) {
      const file = this.files[index]!
      const inOld = overlay.has(key) ? undefined : inBase.get(key)
      if (inOld !== undefined) this.#ofBase[inOld] = file
      this.#inBase.push(inOld)
      byKey.set(key, file)
      const problem = overlay.get(key)?.problem ?? (inOld === undefined ? undefined : base?.state(inOld)?.problem)
      if (problem !== undefined) problems.push({ path: file.shown, reason: problem })
    }
    this.#byKey = byKey
    this.skipped = [...skipped, ...problems].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** All definitions of a name, parameters too, by path and place. */
  definitionsNamed(name: string): DefinitionAt[] {
    const found = this.#found(name).filter(({ definitions }) => definitions > 0)
    return found.flatMap(({ file, record, id }) => (
      record().definitionsOf(id).map((definition) => ({ file, definition }))
    ))
  }

  /** All places where a name stands as an identifier, definitions too, by path and place. */
  occurrencesOf(name: string): OccurrenceAt[] {
    return this.#found(name).flatMap(({ file, record, id }) => (
      record().occurrences(id).map((occurrence) => ({ file, occurrence }))
    ))
  }

  /** The files in which a name stands and some lines are no code. */
  brokenFilesWith(name: string): IndexedFile[] {
    return this.#found(name).filter(({ file }) => this.isBroken(file)).map(({ file }) => file)
  }

  /** Some of its lines are no code. */
  isBroken({ index }: IndexedFile): boolean {
    const key = this.#keys[index] ?? ''
    const file = this.#inBase[index]
    return (this.#overlay.get(key) ?? (file === undefined ? undefined : this.#base?.state(file)))?.isBroken === true
  }

  /** How often a name is defined, and how often it stands as an identifier, definitions included. */
  countsOf(name: string): { definitions: number; occurrences: number; files: number } {
    const counts = { definitions: 0, occurrences: 0, files: 0 }
    for (const { definitions, occurrences } of this.#found(name)) {
      counts.definitions += definitions
      counts.occurrences += occurrences
      if (occurrences > 0) counts.files++
    }
    return counts
  }

  /** The files in which a name stands: how often, and how many definitions of it, locals and parameters too. */
  filesNaming(name: string): { file: IndexedFile; definitions: number; occurrences: number }[] {
    return this.#found(name).map(({ file, definitions, occurrences }) => ({ file, definitions, occurrences }))
  }

  /**
   * Every name that is defined, parameters too; each once, in no order. Some may be defined outside of the view alone:
   * `isDefined` tells.
   */
  definedNames(): Iterable<string> {
    const base = this.#base?.definedNames() ?? []
    const overlaid = this.#overlaidNames()
    return overlaid.size === 0 ? base : new Set([...base, ...overlaid])
  }

  /** Whether a file of the view defines a name, be it as a parameter. */
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

  /** All that is known of a file; `undefined` where it could not be parsed. */
  facts(file: IndexedFile): Facts | undefined {
    return this.#recordOf(file)?.facts()
  }

  /** As `facts`, the definitions alone: that takes far less. */
  definitionsIn(file: IndexedFile): VisibleDefinition[] {
    return this.#recordOf(file)?.definitions() ?? []
  }

  /** As `facts`, the imports alone. */
  importsIn(file: IndexedFile): Facts['imports'] {
    return this.#recordOf(file)?.imports() ?? []
  }

  /** Lines of a file that are no code of its language. */
  errorsIn(file: IndexedFile): Facts['errors'] {
    return this.#recordOf(file)?.errors() ?? []
  }

  /** By its path, as the gate approved it. */
  fileAt(path: string): IndexedFile | undefined {
    this.#byPath ??= new Map(this.files.map((file) => [file.path, file]))
    return this.#byPath.get(path)
  }

  #recordOf({ index }: IndexedFile): FileRecord | undefined {
    const key = this.#keys[index]
    if (key === undefined) return undefined
    if (this.#overlay.has(key)) {
      const record = this.#overlay.record(key)
      return record?.bytes.length === 0 ? undefined : record
    }
    const file = this.#inBase[index]
    const record = file === undefined ? undefined : this.#base?.record(file)
    return record?.bytes.length === 0 ? undefined : record
  }

  /** The files of the view that have a name, by path. */
  #found(name: string): FoundName[] {
    const found: FoundName[] = []
    for (const { file: inBase, id, definitions, occurrences } of this.#base?.postings(name) ?? []) {
      const file = this.#ofBase[inBase]
      if (file === undefined) continue
      const record = (): FileRecord => this.#base!.record(inBase)
      found.push({ file, record, id, definitions, occurrences })
    }
    for (const { key, record, ...rest } of this.#overlay.named(name)) {
      const file = this.#byKey.get(key)
      if (file) found.push({ file, record: () => record, ...rest })
    }
    return found.sort((a, b) => a.file.index - b.file.index)
  }
}

interface FoundName {
  file: IndexedFile
  record: () => FileRecord
  id: number
  definitions: number
  occurrences: number
}

