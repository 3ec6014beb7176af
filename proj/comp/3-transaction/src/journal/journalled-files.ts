import { dirname } from 'node:path'
import type { ApprovedPath, OverwriteCheck, VerbContext, WriteOutcome } from '../../../0-contracts/src/index.js'
import {
  ForwardedFiles, isExecutable, undoing, withExecutable, type DiskFiles, type FileUse,
} from '../../../2-files/src/index.js'
import type { Baselines } from './baselines.js'
import { bringTo } from './bring-to.js'
import { ChangedOnDisk } from './changed-on-disk.js'
import { captureState, isSameState, stateOf } from './file-state.js'
import { HeldWrites, isForeign, type HeldWrite, type NoteWrite } from './held-writes.js'
import type { FileOperation, FileState } from './operations.js'
import { flushPaths } from './flush-paths.js'
import { ABSENT, PathStates } from './path-states.js'
import { resolveStored } from './read-run.js'
import { isLarge, ReadAhead } from './read-ahead.js'
import type { RunJournal } from './run-journal.js'
import { readSaved, saveContent, SavedContent, type Content } from './saved-content.js'

/**
 * A file store that records each change in the run's journal before it is made, with what undo needs, and that refuses
 * to overwrite what someone else has changed (`CHANGED_ON_DISK`).
 */
export class JournalledFiles extends ForwardedFiles {
  /** States by path, as the journal stores paths. */
  readonly states = new PathStates()
  declare protected readonly inner: DiskFiles
  /** Absolute paths to flush; only used by a durable run. */
  readonly #unflushed = new Set<string>()
  readonly #ahead = new ReadAhead()
  #held: HeldWrites | undefined

  /** @param journal called for the first change; opens the journal */
  constructor(inner: DiskFiles, private readonly journal: () => RunJournal, private readonly baselines: Baselines) {
    super(inner)
  }

  /**
   * From now on a durable run may hold back writes of whole files, so that one flush of the journal covers several. Any
   * other operation of the store makes them first. Without effect for runs that are not durable.
   *
   * @param note called for each write when it is held back
   */
  hold(note: NoteWrite): void {
    this.#held = new HeldWrites(note)
  }

  /** Makes the held writes, and stops holding back. */
  release(): void {
    this.#writeHeld()
    this.#held = undefined
  }

  /**
   * Makes the held writes if one of them concerns a path, since code that bypasses this store has to find it on disk.
   *
   * @param path absolute, links resolved; without it, all are made
   * @returns whether there was anything to make
   */
  settle(path?: string): boolean {
    if (!this.#held?.concerns(path)) return false
    this.#writeHeld()
    return true
  }

  /** For the calls that change nothing: what of the held writes they may meet is made first. */
  protected override to(use: FileUse, path: ApprovedPath): DiskFiles {
    if (use === 'list') this.#writeHeld()
    else this.settle(path)
    return this.inner
  }

  override readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    const bytes = this.peekBytes(path, maxBytes)
    this.baselines.noteRead(path, bytes)
    return bytes
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    if (!this.#mayHold(path, bytes)) return this.#writeNow(path, bytes, check)
    const journal = this.journal()
    const operation = this.#replacement(path, bytes, check)
    journal.record(operation)
    const created = operation.old.kind === 'absent'
    this.#held?.add({ path, bytes, operation })
    if (this.#held?.isFull) this.#writeHeld()
    return { bytes: bytes.length, created, brokeHardLink: false }
  }

  #writeNow(path: ApprovedPath, bytes: Uint8Array, check?: OverwriteCheck): WriteOutcome {
    this.#writeHeld()
    const operation = this.#replacement(path, bytes, check)
    const outcome = this.#record(operation, () => this.inner.write(path, bytes))
    this.baselines.noteWritten(path, bytes, operation.new)
    return outcome
  }

  /** The journal entry of a write of a whole file; stores the old and new content in the journal's data file. */
  #replacement(path: ApprovedPath, bytes: Uint8Array, check?: OverwriteCheck): HeldWrite['operation'] {
    const journal = this.journal()
    const old = this.#captureUnchanged(path, journal, check)
    const next = stateOf(bytes, journal, old.kind === 'file' && old.mode !== undefined ? old.mode & 0o777 : undefined)
    return { op: 'set', path: journal.stored(path), old, new: next }
  }

  /**
   * Whether a write may be held back. One that is certain to fail, that has much to report, or that separates hard
   * links, is made at once.
   */
  #mayHold(path: ApprovedPath, bytes: Uint8Array): boolean {
    const held = this.#held
    if (!held?.fits(bytes.length) || !this.journal().durable) return false
    this.settle(path)
    const stat = this.inner.lstat(path)
    if (stat) return stat.kind === 'file' && stat.links <= 1 && held.fits(stat.size)
    return this.inner.lstat(dirname(path) as ApprovedPath)?.kind === 'directory'
  }

  #writeHeld(): void {
    this.#held?.writeAll(this.journal, (write) => this.#writeOne(write))
  }

  /** Makes a write that is in the journal, after checking again whether someone else has changed the file. */
  #writeOne({ path, bytes, operation }: HeldWrite): void {
    const { old } = operation
    const now = captureState(path)
    if (!isSameState(now, old)) {
      this.journal().recordFailed(operation)
      if (!isForeign(now, operation, this.states)) return void this.#writeNow(path, bytes)
      this.baselines.forget(path)
      const known = old.kind === 'file' ? readSaved(this.journal().directory, old) : new Uint8Array()
      throw new ChangedOnDisk(path, known, now)
    }
    this.#make(operation, () => this.inner.write(path, bytes))
    this.baselines.noteWritten(path, bytes, operation.new)
  }

  override copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    this.#writeHeld()
    const journal = this.journal()
    const old = this.#captureUnchanged(to, journal)
    const next = this.#ahead.capture(from, journal)
    const outcome = this.#set(to, old, next, () => this.inner.copy(from, to))
    this.baselines.noteWritten(to, undefined, next)
    return outcome
  }

  override setExecutable(path: ApprovedPath, executable: boolean): boolean {
    this.#writeHeld()
    const old = this.#captureUnchanged(path, this.journal())
    if (old.kind !== 'file' || old.mode === undefined || isExecutable(old.mode) === executable) {
      return this.inner.setExecutable(path, executable)
    }
    const next: FileState = { ...old, mode: withExecutable(old.mode, executable) }
    const changed = this.#set(path, old, next, () => this.inner.setExecutable(path, executable))
    this.baselines.noteWritten(path, undefined, next)
    return changed
  }

  override makeDirectories(path: ApprovedPath): string[] {
    this.#writeHeld()
    const missing: ApprovedPath[] = []
    for (let here = path; this.inner.stat(here) === undefined; here = dirname(here) as ApprovedPath) missing.unshift(
      here,
    )
    if (missing.length === 0) return this.inner.makeDirectories(path)
    return missing.flatMap((directory) => this.#set(directory, ABSENT, { kind: 'directory' }, () => (
      this.inner.makeDirectories(directory)
    )))
  }

  override async readAhead(path: ApprovedPath, call: Pick<VerbContext, 'signal'>): Promise<void> {
    // A small file is not read ahead, and writes stay held back.
    if (!isLarge(path)) return
    this.#writeHeld()
    await this.#ahead.read(path, this.journal, call.signal)
  }

  override remove(path: ApprovedPath): void {
    this.#writeHeld()
    this.#set(path, this.#captureUnchanged(path, this.journal()), ABSENT, () => this.inner.remove(path))
    this.baselines.noteWritten(path, undefined, ABSENT)
  }

  override removeDirectory(path: ApprovedPath): void {
    this.#writeHeld()
    this.#set(path, captureState(path), ABSENT, () => this.inner.removeDirectory(path))
  }

  override move(from: ApprovedPath, to: ApprovedPath): void {
    this.#writeHeld()
    const journal = this.journal()
    const replaced = this.#captureUnchanged(to, journal)
    // The commit of the run may need the content, to commit what was uncommitted before.
    const moved = this.#ahead.capture(from, journal)
    const operation: FileOperation = {
      op: 'move', from: journal.stored(from), to: journal.stored(to), moved, replaced,
    }
    this.#record(operation, () => this.inner.move(from, to))
    this.baselines.noteMoved(from, to, moved)
  }

  /**
   * Restores an earlier state of a path; never removes a directory that is not empty. Creates missing parent
   * directories.
   *
   * @param content of the file to restore
   */
  restore(path: ApprovedPath, state: FileState, content: Content | undefined): void {
    this.#writeHeld()
    const journal = this.journal()
    const old = captureState(path, journal)
    if (isSameState(old, state)) return
    if (state.kind !== 'absent') this.makeDirectories(dirname(path) as ApprovedPath)
    const next = state.kind === 'file' ? saveContent(content ?? new Uint8Array(), journal, state.mode) : state
    this.#set(path, old, next, () => bringTo(this.inner, path, old, state, content))
    this.baselines.noteWritten(path, content instanceof SavedContent ? undefined : content, next)
  }

  /**
   * For a durable run: returns when all changes so far survive a loss of power. The journal is flushed before each
   * change, since the system may write that to disk at any time; the files are flushed together at the end.
   */
  flush(): void {
    this.#writeHeld()
    flushPaths(this.#unflushed)
    this.#unflushed.clear()
  }

  #noteUnflushed(operation: FileOperation): void {
    const { root } = this.journal()
    const stored = operation.op === 'set' ? [operation.path] : [operation.from, operation.to]
    for (const path of stored) this.#unflushed.add(resolveStored(root, path))
  }

  #set<T>(path: ApprovedPath, old: FileState, next: FileState, change: () => T): T {
    return this.#record({ op: 'set', path: this.journal().stored(path), old, new: next }, change)
  }

  #record<T>(operation: FileOperation, change: () => T): T {
    const journal = this.journal()
    journal.record(operation)
    journal.flush()
    return this.#make(operation, change)
  }

  /** @param operation as recorded in the journal */
  #make<T>(operation: FileOperation, change: () => T): T {
    const journal = this.journal()
    try {
      const result = undoing(change, () => journal.recordFailed(operation))
      this.states.apply(operation)
      return result
    } finally {
      if (journal.durable) this.#noteUnflushed(operation)
    }
  }

  /** @throws HermesError `CHANGED_ON_DISK`; whatever the check throws */
  #captureUnchanged(path: ApprovedPath, journal: RunJournal, check?: OverwriteCheck): FileState {
    let last: Uint8Array | undefined
    const state = this.#ahead.capture(path, {
      append: (bytes) => {
        last = bytes
        return journal.append(bytes)
      },
    })
    const size = state.kind === 'file' ? state.size : 0
    // Of a large file, only the last piece is in memory.
    check?.(size, () => (last?.length === size ? last : this.inner.readBytes(path, Infinity)))
    const known = this.baselines.outdated(path, state)
    if (known === undefined) return state
    this.baselines.forget(path)
    throw new ChangedOnDisk(path, known.content, state)
  }
}
