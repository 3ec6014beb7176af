import type { FileState } from './operations.js'
import { sha256 } from './file-state.js'

/** Longest content that is kept to show what changed, in bytes. */
const MOST_BYTES = 256 * 1024
/** Most of all contents together: the oldest are let go first. */
const MOST_HELD = 16 * 1024 * 1024

export interface Baseline {
  sha256: string
  /** Absent for long files, and where so much came after it that it was let go. */
  content?: Uint8Array
}

/**
 * What the session knows of files: as it last read or wrote them. A write is refused when someone else has changed
 * the file since, for it would undo a change that nobody has seen.
 */
export class Baselines {
  /** Hashes by path. */
  readonly #known = new Map<string, string>()
  /** Read by the block that runs: it does not yet know what it was told before. */
  readonly #read = new Map<string, string>()
  /** By hash, the oldest first. */
  readonly #contents = new Map<string, Uint8Array>()
  #held = 0

  /** A block begins: what was read so far has been seen. */
  startBlock(): void {
    for (const [path, hash] of this.#read) this.#known.set(path, hash)
    this.#read.clear()
  }

  noteRead(path: string, content: Uint8Array): void {
    const hash = sha256(content)
    this.#read.set(path, hash)
    this.#hold(hash, content)
  }

  noteWritten(path: string, content: Uint8Array | undefined, state: FileState): void {
    this.#read.delete(path)
    if (state.kind !== 'file') {
      this.#known.delete(path)
      return
    }
    this.#known.set(path, state.sha256)
    if (content !== undefined) this.#hold(state.sha256, content)
  }

  /** A command ran, which may have changed anything: that was asked for. */
  forgetAll(): void {
    this.#known.clear()
    this.#read.clear()
    this.#contents.clear()
    this.#held = 0
  }

  /** What the session believes to be in a file that holds something else. Where nothing is left, nothing is lost. */
  outdated(path: string, found: FileState): Baseline | undefined {
    if (found.kind === 'absent') return undefined
    const current = found.kind === 'file' ? found.sha256 : ''
    const hash = [this.#known.get(path), this.#read.get(path)].find((known) => known !== undefined && known !== current)
    if (hash === undefined) return undefined
    const content = this.#contents.get(hash)
    return { sha256: hash, ...(content !== undefined && { content }) }
  }

  /** The model has been told: from now on it knows. */
  forget(path: string): void {
    this.#known.delete(path)
    this.#read.delete(path)
  }

  #hold(hash: string, content: Uint8Array): void {
    if (content.length > MOST_BYTES || this.#contents.has(hash)) return
    this.#contents.set(hash, content)
    this.#held += content.length
    for (const [oldest, { length }] of this.#contents) {
      if (this.#held <= MOST_HELD) break
      this.#contents.delete(oldest)
      this.#held -= length
    }
  }
}
