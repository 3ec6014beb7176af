import { FileRecord, type NameCount } from './file-record.js'
import type { Entry } from './segment.js'

/** A file with its record, and name ids by name. */
interface Overlaid {
  entry: Entry
  record: FileRecord
  ids?: ReadonlyMap<string, number>
}

/** The files that changed since the base was written: few, so that a name is looked up in each. */
export class Overlay {
  readonly #files = new Map<string, Overlaid>()

  get size(): number {
    return this.#files.size
  }

  get(key: string): Entry | undefined {
    return this.#files.get(key)?.entry
  }

  set(key: string, entry: Entry): void {
    this.#files.set(key, { entry, record: new FileRecord(entry.record) })
  }

  delete(key: string): boolean {
    return this.#files.delete(key)
  }

  has(key: string): boolean {
    return this.#files.has(key)
  }

  record(key: string): FileRecord | undefined {
    return this.#files.get(key)?.record
  }

  * entries(): Generator<[string, Entry]> {
    for (const [key, { entry }] of this.#files) yield [key, entry]
  }

  /**
   * The files that contain a name.
   *
   * @throws DamagedIndex
   */
  * named(name: string): Generator<{ key: string; id: number; record: FileRecord } & NameCount> {
    for (const [key, file] of this.#files) {
      if (file.entry.record.length === 0) continue
      file.ids ??= new Map(file.record.names().map((each, id) => [each, id]))
      const id = file.ids.get(name)
      const count = id === undefined ? undefined : file.record.counts()[id]
      if (id === undefined || count === undefined) continue
      const { definitions, occurrences } = count
      yield { key, id, record: file.record, definitions, occurrences }
    }
  }

  /**
   * All defined names, each with its file.
   *
   * @throws DamagedIndex
   */
  * defined(): Generator<readonly [name: string, key: string]> {
    for (const [key, { entry, record }] of this.#files) {
      if (entry.record.length === 0) continue
      const counts = record.counts()
      for (const [id, name] of record.names().entries()) if (counts[id]!.definitions > 0) yield [name, key]
    }
  }
}
