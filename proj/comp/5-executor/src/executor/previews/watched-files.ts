import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, StatedEntry, WriteOutcome,
} from '../../../../0-contracts/src/index.js'
import { sha256 } from '../../../../3-transaction/src/index.js'

/** A change that is about to be made. */
export interface FileCall {
  path: ApprovedPath
  /** What it concerns and reads, and has not been changed through this store before. */
  paths: readonly ApprovedPath[]
  /** The same for the same change, its content included. */
  key: string
  /** It may take back what a verb had done before it failed. */
  takesAway: boolean
}

/** Told of what is done through a store; where it throws, nothing is done. */
export interface FileWatch {
  /** @param bytes of a file that was not changed through this store before */
  read(path: ApprovedPath, bytes: Uint8Array): void
  /** @param hasFailed something that was asked of this store before */
  before(call: FileCall, hasFailed: boolean): void
}

/** A store that somebody watches. Directories that are made, or removed when they are empty, are told of to nobody. */
export class WatchedFiles implements FileStore {
  readonly #files: FileStore
  readonly #watch: FileWatch
  readonly #changed = new Set<ApprovedPath>()
  #hasFailed = false

  constructor(files: FileStore, watch: FileWatch) {
    this.#files = files
    this.#watch = watch
  }

  get changes(): readonly FileChange[] {
    return this.#files.changes
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#seen(path, this.#files.readBytes(path, maxBytes))
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#seen(path, this.#files.peekBytes(path, maxBytes))
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    const hash = sha256(typeof content === 'string' ? Buffer.from(content) : content)
    return this.#change(['write', path], [hash], () => this.#files.write(path, content, check))
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.#change(['copy', to, from], [], () => this.#files.copy(from, to))
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.#change(['mode', path], [executable], () => this.#files.setExecutable(path, executable))
  }

  remove(path: ApprovedPath): void {
    this.#change(['remove', path], [], () => {
      this.#files.remove(path)
    })
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    this.#change(['move', to, from], [], () => {
      this.#files.move(from, to)
    })
  }

  makeDirectories(path: ApprovedPath): string[] {
    return this.#files.makeDirectories(path)
  }

  removeDirectory(path: ApprovedPath): void {
    this.#files.removeDirectory(path)
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#files.stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#files.lstat(path)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.#files.chunks(path)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#files.list(path)
  }

  listStats(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[] {
    const store = this.#files
    return store.listStats?.(path, wants) ?? store.list(path)
  }

  #seen(path: ApprovedPath, bytes: Uint8Array): Uint8Array {
    if (!this.#changed.has(path)) this.#watch.read(path, bytes)
    return bytes
  }

  #change<T>(
    [name, path, ...from]: [string, ApprovedPath, ...ApprovedPath[]], more: readonly unknown[], make: () => T,
  ): T {
    const paths = [path, ...from]
    try {
      this.#watch.before({
        path, key: JSON.stringify([name, ...paths, ...more]), takesAway: name === 'remove' || name === 'move',
        paths: paths.filter((one) => !this.#changed.has(one)),
      }, this.#hasFailed)
      const made = make()
      for (const one of paths) this.#changed.add(one)
      return made
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }
}
