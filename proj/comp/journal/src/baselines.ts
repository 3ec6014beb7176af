import type { FileState } from './operations.js'
import { sha256 } from './file-state.js'

/** Longest content that is kept to show what changed, in bytes. */
const MOST_BYTES = 256 * 1024

export interface Baseline {
  sha256: string
  /** Absent for long files. */
  content?: Uint8Array
}

/**
 * What the session knows of files: as it last read or wrote them. A write is refused when someone else has changed
 * the file since, for it would undo a change that nobody has seen.
 */
export class Baselines {
  readonly #known = new Map<string, Baseline>()
  /** Read by the block that runs: it does not yet know what it was told before. */
  readonly #read = new Map<string, Baseline>()

  /** A block begins: what was read so far has been seen. */
  startBlock(): void {
    for (const [path, baseline] of this.#read) this.#known.set(path, baseline)
    this.#read.clear()
  }

  noteRead(path: string, content: Uint8Array): void {
    this.#read.set(path, baselineOf(content, sha256(content)))
  }

  noteWritten(path: string, content: Uint8Array | undefined, state: FileState): void {
    this.#read.delete(path)
    if (state.kind !== 'file') this.#known.delete(path)
    else this.#known.set(path, baselineOf(content, state.sha256))
  }

  /** A command ran, which may have changed anything: that was asked for. */
  forgetAll(): void {
    this.#known.clear()
    this.#read.clear()
  }

  /** What the session believes to be in a file that holds something else. Where nothing is left, nothing is lost. */
  outdated(path: string, found: FileState): Baseline | undefined {
    if (found.kind === 'absent') return undefined
    const current = found.kind === 'file' ? found.sha256 : ''
    return [this.#known.get(path), this.#read.get(path)].find((known) => known !== undefined && known.sha256 !== current)
  }

  /** The model has been told: from now on it knows. */
  forget(path: string): void {
    this.#known.delete(path)
    this.#read.delete(path)
  }
}

function baselineOf(content: Uint8Array | undefined, hash: string): Baseline {
  return { sha256: hash, ...(content !== undefined && content.length <= MOST_BYTES && { content }) }
}
