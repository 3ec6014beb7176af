import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { upwards } from '../../../2-files/src/index.js'
import { isSameState } from './file-state.js'
import type { FileOperation, FileState } from './operations.js'
import type { PathStates } from './path-states.js'
import type { RunJournal } from './run-journal.js'

/** Most writes covered by one flush of the journal; recovery examines that many when a durable run died. */
export const MOST_HELD_WRITES = 64
/** Largest file to hold back, old or new content; and most bytes of all together. */
const MOST_FILE_BYTES = 1024 * 1024
const MOST_BYTES = 8 * 1024 * 1024

/** A write of a whole file that is in the journal but not on disk yet. */
export interface HeldWrite {
  path: ApprovedPath
  bytes: Uint8Array
  operation: Extract<FileOperation, { op: 'set' }>
}

/** Called when a write was made, or with the error that prevented it. */
type TellOfWrite = (error?: unknown) => void
/** Called for a write that is held back. */
export type NoteWrite = (path: ApprovedPath) => TellOfWrite

/** Writes to different files that wait for one flush of the journal. */
export class HeldWrites {
  #writes = new Map<ApprovedPath, HeldWrite & { tell: TellOfWrite }>()
  #bytes = 0

  /** @param note called for each write when it is held back */
  constructor(private readonly note: NoteWrite) {}

  /** Whether a file of this size may be held back. */
  fits(bytes: number): boolean {
    return bytes <= MOST_FILE_BYTES
  }

  add(write: HeldWrite): void {
    this.#writes.set(write.path, { ...write, tell: this.note(write.path) })
    this.#bytes += write.bytes.length
  }

  get isFull(): boolean {
    return this.#writes.size >= MOST_HELD_WRITES || this.#bytes >= MOST_BYTES
  }

  /** Whether a held write concerns a path or one above it; without a path, whether there is any held write. */
  concerns(path?: string): boolean {
    if (this.#writes.size === 0 || path === undefined) return this.#writes.size > 0
    return upwards(path).some((here) => this.#writes.has(here as ApprovedPath))
  }

  /**
   * Flushes the journal, then makes all writes; afterwards none is held.
   *
   * @param journal only called where there is a write
   */
  writeAll(journal: () => RunJournal, write: (held: HeldWrite) => void): void {
    const writes = [...this.#writes.values()]
    this.#writes = new Map()
    this.#bytes = 0
    if (writes.length === 0) return
    const failure = tried(() => journal().flush())
    for (const each of writes) {
      if (failure) journal().recordFailed(each.operation)
      each.tell((failure ?? tried(() => write(each)))?.error)
    }
  }
}

/**
 * Whether a file that is about to be replaced holds something other than expected, not written by this run, which would
 * be lost.
 */
export function isForeign(fileState: FileState, { old }: HeldWrite['operation'], states: PathStates): boolean {
  if (fileState.kind === 'absent') return false
  if (fileState.kind === 'file' && old.kind === 'file' && fileState.sha256 === old.sha256) return false
  // The run may have written it under another name of the same file (hard link).
  return !states.changed().some(({ after }) => isSameState(after, fileState))
}

function tried(act: () => void): { error: unknown } | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return { error }
  }
}
