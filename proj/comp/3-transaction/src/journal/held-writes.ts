import { dirname } from 'node:path'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { isSameState } from './file-state.js'
import type { FileOperation, FileState } from './operations.js'
import type { PathStates } from './path-states.js'
import type { RunJournal } from './run-journal.js'

/** The most writes that one flush of the journal is for; recovery looks at so many when a durable run died. */
export const MOST_HELD_WRITES = 64
/** The largest file that is held back, old or new, and of all together, in bytes. */
const MOST_FILE_BYTES = 1024 * 1024
const MOST_BYTES = 8 * 1024 * 1024

/** A write of a whole file that is in the journal, and not yet made. */
export interface HeldWrite {
  path: ApprovedPath
  bytes: Uint8Array
  operation: Extract<FileOperation, { op: 'set' }>
}

/** Is told that a write was made, or why not. */
type TellOfWrite = (error?: unknown) => void
/** Is told of a write that is held back. */
export type NoteWrite = (path: ApprovedPath) => TellOfWrite

/** Writes of different files that wait for one flush of the journal. */
export class HeldWrites {
  readonly #note: NoteWrite
  #writes = new Map<ApprovedPath, HeldWrite & { tell: TellOfWrite }>()
  #bytes = 0

  /** @param note called for each write as it is held back */
  constructor(note: NoteWrite) {
    this.#note = note
  }

  /** Whether a file of so many bytes may be held back at all. */
  fits(bytes: number): boolean {
    return bytes <= MOST_FILE_BYTES
  }

  add(write: HeldWrite): void {
    this.#writes.set(write.path, { ...write, tell: this.#note(write.path) })
    this.#bytes += write.bytes.length
  }

  get isFull(): boolean {
    return this.#writes.size >= MOST_HELD_WRITES || this.#bytes >= MOST_BYTES
  }

  /** Whether what is at a path, or above it, is held back; without a path, whether anything is. */
  concerns(path?: string): boolean {
    if (this.#writes.size === 0 || path === undefined) return this.#writes.size > 0
    for (let here = path; ; here = dirname(here)) {
      if (this.#writes.has(here as ApprovedPath)) return true
      if (here === dirname(here)) return false
    }
  }

  /**
   * Flushes the journal, then makes each of them; afterwards none is held.
   *
   * @param journal only asked for where there is one
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

/** Whether what is found in place of what a held write is to replace would be lost, and is not of the run itself. */
export function isForeign(found: FileState, { old }: HeldWrite['operation'], states: PathStates): boolean {
  if (found.kind === 'absent') return false
  if (found.kind === 'file' && old.kind === 'file' && found.sha256 === old.sha256) return false
  // The run may have written it by another name of the same file.
  return !states.changed().some(({ after }) => isSameState(after, found))
}

function tried(act: () => void): { error: unknown } | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return { error }
  }
}
