import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, StatedEntry, WriteOutcome,
} from '../../../../0-contracts/src/index.js'
import { sha256 } from '../../../../3-transaction/src/index.js'

/** A change of a file that is about to be made through a store. */
export interface ComingChange {
  path: ApprovedPath
  /** The files that it changes or reads, but for those that were changed through this store before. */
  paths: readonly ApprovedPath[]
  /** Equal for equal changes, content included. */
  key: string
  /** Whether it may undo what a verb had done before it failed. */
  takesAway: boolean
}

/** Told of what is read and changed through a store; where it throws, that is not done. */
export interface FileObserver {
  /** @param bytes of a file that was not changed through this store before */
  read(path: ApprovedPath, bytes: Uint8Array): void
  /** @param hasFailed something that was asked of this store before */
  beforeChange(change: ComingChange, hasFailed: boolean): void
}

/**
 * The same store, with somebody told of what is read and changed through it: a preview holds a call to what was shown.
 * Of directories that are made, or removed when they are empty, nobody is told.
 */
export class ObservedFiles implements FileStore {
  readonly #files: FileStore
  readonly #observer: FileObserver
  readonly #changed = new Set<ApprovedPath>()
  #hasFailed = false

  constructor(files: FileStore, observer: FileObserver) {
    this.#files = files
    this.#observer = observer
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
    if (!this.#changed.has(path)) this.#observer.read(path, bytes)
    return bytes
  }

  /** @param more decides on the change besides its paths */
  #change<T>(
    [kind, path, ...sources]: [string, ApprovedPath, ...ApprovedPath[]], more: readonly unknown[], make: () => T,
  ): T {
    const paths = [path, ...sources]
    try {
      this.#observer.beforeChange({
        path, key: JSON.stringify([kind, ...paths, ...more]), takesAway: kind === 'remove' || kind === 'move',
        paths: paths.filter((involved) => !this.#changed.has(involved)),
      }, this.#hasFailed)
      const made = make()
      for (const involved of paths) this.#changed.add(involved)
      return made
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }
}
