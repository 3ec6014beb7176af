import { dirname } from 'node:path'
import {
  HermesError, type ApprovedPath, type DirectoryEntry, type FileChange, type FileStat, type FileStore,
  type OverwriteCheck, type WriteOutcome,
} from '../../contracts/src/index.js'
import { type DiskFiles, isExecutable, readRegular, withExecutable } from '../../files/src/index.js'
import type { Baselines } from './baselines.js'
import { bringTo } from './bring-to.js'
import { captureState, isSameState, stateOf } from './file-state.js'
import type { FileOperation, FileState } from './operations.js'
import { flushPaths } from './flush-paths.js'
import { PathStates } from './path-states.js'
import { resolveStored } from './read-run.js'
import type { RunJournal } from './run-journal.js'

/**
 * A store that writes each change to the run's journal before it makes it, with what is needed to take it back, and
 * that refuses to overwrite what someone else has changed (`CHANGED_ON_DISK`).
 */
export class JournalledFiles implements FileStore {
  /** By paths as the journal stores them. */
  readonly states = new PathStates()
  readonly #inner: DiskFiles
  readonly #journal: () => RunJournal
  readonly #baselines: Baselines
  /** Absolute; only of a durable run. */
  readonly #unflushed = new Set<string>()

  /** @param journal opened when the first change is made */
  constructor(inner: DiskFiles, journal: () => RunJournal, baselines: Baselines) {
    this.#inner = inner
    this.#journal = journal
    this.#baselines = baselines
  }

  get changes(): readonly FileChange[] {
    return this.#inner.changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#inner.stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#inner.lstat(path)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    const bytes = this.#inner.readBytes(path, maxBytes)
    this.#baselines.noteRead(path, bytes)
    return bytes
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#inner.readBytes(path, maxBytes)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.#inner.chunks(path)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#inner.list(path)
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    const journal = this.#journal()
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    const old = this.#captureUnchanged(path, journal, check)
    const next = stateOf(bytes, journal, old.kind === 'file' && old.mode !== undefined ? old.mode & 0o777 : undefined)
    const outcome = this.#set(path, old, next, () => this.#inner.write(path, bytes))
    this.#baselines.noteWritten(path, bytes, next)
    return outcome
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const journal = this.#journal()
    const old = this.#captureUnchanged(to, journal)
    const next = captureState(from, journal)
    const outcome = this.#set(to, old, next, () => this.#inner.copy(from, to))
    this.#baselines.noteWritten(to, undefined, next)
    return outcome
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    const old = this.#captureUnchanged(path, this.#journal())
    if (old.kind !== 'file' || old.mode === undefined || isExecutable(old.mode) === executable) {
      return this.#inner.setExecutable(path, executable)
    }
    const next: FileState = { ...old, mode: withExecutable(old.mode, executable) }
    const changed = this.#set(path, old, next, () => this.#inner.setExecutable(path, executable))
    this.#baselines.noteWritten(path, undefined, next)
    return changed
  }

  makeDirectories(path: ApprovedPath): string[] {
    const missing: ApprovedPath[] = []
    for (let here = path; this.#inner.stat(here) === undefined; here = dirname(here) as ApprovedPath) missing.unshift(here)
    if (missing.length === 0) return this.#inner.makeDirectories(path)
    return missing.flatMap((directory) => this.#set(directory, ABSENT, { kind: 'directory' }, () => (
      this.#inner.makeDirectories(directory)
    )))
  }

  remove(path: ApprovedPath): void {
    const old = this.#captureUnchanged(path, this.#journal())
    this.#set(path, old, ABSENT, () => this.#inner.remove(path))
    this.#baselines.noteWritten(path, undefined, ABSENT)
  }

  removeDirectory(path: ApprovedPath): void {
    this.#set(path, captureState(path), ABSENT, () => this.#inner.removeDirectory(path))
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    const journal = this.#journal()
    const replaced = this.#captureUnchanged(to, journal)
    // Where the commit of the run has to tell what was not committed before, it needs the content.
    const moved = captureState(from, journal)
    const operation: FileOperation = {
      op: 'move', from: journal.stored(from), to: journal.stored(to), moved, replaced,
    }
    this.#record(operation, () => this.#inner.move(from, to))
    this.#baselines.noteMoved(from, to, moved)
  }

  /**
   * Brings a path into a state it had before; another directory's worth of files is never removed for it. Directories
   * above it that are gone are made again.
   *
   * @param content of the file that is to be there
   */
  restore(path: ApprovedPath, state: FileState, content: Uint8Array | undefined): void {
    const journal = this.#journal()
    const old = captureState(path, journal)
    if (isSameState(old, state)) return
    if (state.kind !== 'absent') this.makeDirectories(dirname(path) as ApprovedPath)
    const next = state.kind === 'file' ? { ...stateOf(content ?? new Uint8Array(), journal, state.mode) } : state
    this.#set(path, old, next, () => bringTo(this.#inner, path, old, state, content))
    this.#baselines.noteWritten(path, content, next)
  }

  /**
   * Of a durable run: returns when all that was changed so far survives a loss of power. Each change is flushed to the
   * journal before it is made, since the system may write it out at once; the files themselves, together at the end.
   */
  flush(): void {
    flushPaths(this.#unflushed)
    this.#unflushed.clear()
  }

  #noteUnflushed(operation: FileOperation): void {
    const { root } = this.#journal()
    const stored = operation.op === 'set' ? [operation.path] : [operation.from, operation.to]
    for (const path of stored) this.#unflushed.add(resolveStored(root, path))
  }

  #set<T>(path: ApprovedPath, old: FileState, next: FileState, change: () => T): T {
    return this.#record({ op: 'set', path: this.#journal().stored(path), old, new: next }, change)
  }

  #record<T>(operation: FileOperation, change: () => T): T {
    const journal = this.#journal()
    journal.record(operation)
    journal.flush()
    try {
      const result = change()
      this.states.apply(operation)
      return result
    } catch (error) {
      journal.recordFailed()
      throw error
    } finally {
      if (journal.durable) this.#noteUnflushed(operation)
    }
  }

  /** @throws HermesError `CHANGED_ON_DISK`; all that the check throws */
  #captureUnchanged(path: ApprovedPath, journal: RunJournal, check?: OverwriteCheck): FileState {
    let last: Uint8Array | undefined
    const found = captureState(path, {
      append: (bytes) => {
        last = bytes
        return journal.append(bytes)
      },
    })
    const size = found.kind === 'file' ? found.size : 0
    // Of a large file only the last piece is there.
    check?.(size, () => (last?.length === size ? last : this.peekBytes(path, Infinity)))
    const known = this.#baselines.outdated(path, found)
    if (known === undefined) return found
    this.#baselines.forget(path)
    throw new ChangedOnDisk(path, known.content, found)
  }
}

const ABSENT: FileState = { kind: 'absent' }

/** The two contents are for the difference that the hint shows. */
export class ChangedOnDisk extends HermesError {
  readonly known: Uint8Array | undefined
  readonly found: Uint8Array | undefined

  constructor(path: string, known: Uint8Array | undefined, found: FileState) {
    super('CHANGED_ON_DISK', `${path} was changed by someone else since this session read it: nothing was written`, {
      hint: 'Look at what it holds now, then send the block again, with the change in mind.',
    })
    this.known = known
    this.found = found.kind === 'file' && known !== undefined && found.size <= 256 * 1024 ? readRegular(path, 256 * 1024) : undefined
  }
}
