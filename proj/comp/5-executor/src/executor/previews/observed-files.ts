import type { ApprovedPath, FileStore, OverwriteCheck, WriteOutcome } from '../../../../0-contracts/src/index.js'
import { sha256 } from '../../../../3-transaction/src/index.js'
import { ForwardedFiles } from '../../../../2-files/src/index.js'

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
export class ObservedFiles extends ForwardedFiles {
  readonly #changed = new Set<ApprovedPath>()
  #hasFailed = false

  constructor(files: FileStore, private readonly observer: FileObserver) {
    super(files)
  }

  override readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#seen(path, super.readBytes(path, maxBytes))
  }

  override peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#seen(path, super.peekBytes(path, maxBytes))
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    const hash = sha256(typeof content === 'string' ? Buffer.from(content) : content)
    return this.#change(['write', path], [hash], () => super.write(path, content, check))
  }

  override copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.#change(['copy', to, from], [], () => super.copy(from, to))
  }

  override setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.#change(['mode', path], [executable], () => super.setExecutable(path, executable))
  }

  override remove(path: ApprovedPath): void {
    this.#change(['remove', path], [], () => super.remove(path))
  }

  override move(from: ApprovedPath, to: ApprovedPath): void {
    this.#change(['move', to, from], [], () => super.move(from, to))
  }

  #seen(path: ApprovedPath, bytes: Uint8Array): Uint8Array {
    if (!this.#changed.has(path)) this.observer.read(path, bytes)
    return bytes
  }

  /** @param more decides on the change besides its paths */
  #change<T>(
    [kind, path, ...sources]: [string, ApprovedPath, ...ApprovedPath[]], more: readonly unknown[], make: () => T,
  ): T {
    const paths = [path, ...sources]
    try {
      this.observer.beforeChange({
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
