import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, StatedEntry, WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { PatchedText } from '../../../1-edits/src/index.js'
import { getByteLength } from './byte-length.js'
import { decodeUtf8 } from './decode-utf8.js'

interface Held {
  path: ApprovedPath
  text: PatchedText
  /** Of `text`, where it is well-formed; counted when it is first needed. */
  bytes?: number
  /** It may have CRLF line endings, which new lines are to be fitted to: not done in place. */
  mayHaveCrlf?: boolean
}

/**
 * A store for calls in a row that change one existing text file: it is read once, changed in memory, and written once,
 * by `flush`. Whatever else is asked for is done by the store beneath, after what is held has been written.
 */
export class HeldFile implements FileStore {
  readonly #inner: FileStore
  readonly #onWritten: (error?: unknown) => void
  #held: Held | undefined
  /** What was changed and is not yet written. */
  #unwritten: FileChange[] = []
  #brokeHardLink = false
  #writes = 0

  /** @param onWritten told when what is held was written, or with the error for which all of it is lost */
  constructor(inner: FileStore, onWritten: (error?: unknown) => void) {
    this.#inner = inner
    this.#onWritten = onWritten
  }

  get changes(): readonly FileChange[] {
    return this.#unwritten.length === 0 ? this.#inner.changes : [...this.#inner.changes, ...this.#unwritten]
  }

  /** How many times the held file was changed. */
  get writes(): number {
    return this.#writes
  }

  /** Writes what is held; afterwards nothing is. Never throws. */
  flush(): void {
    const held = this.#held
    const isChanged = this.#unwritten.length > 0
    this.#held = undefined
    this.#unwritten = []
    if (!held || !isChanged) return
    try {
      this.#inner.write(held.path, held.text.toString())
    } catch (error) {
      this.#onWritten(error)
      return
    }
    this.#onWritten()
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    if (this.#held?.path === path) return this.#held.text.toString()
    this.flush()
    const text = decodeUtf8(this.#inner.readBytes(path, maxBytes))
    if (text === undefined) return undefined
    this.#held = { path, text: new PatchedText(text) }
    this.#brokeHardLink = (this.#inner.stat(path)?.links ?? 1) > 1
    return text
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    if (this.#held?.path !== path || typeof content !== 'string' || check) {
      return this.#beneath().write(path, content, check)
    }
    this.#held = { path, text: new PatchedText(content) }
    this.#unwritten.push({ kind: 'modify', path })
    this.#writes++
    const brokeHardLink = this.#brokeHardLink
    this.#brokeHardLink = false
    return {
      // Counted only where it is asked for: the file may be large, and the edits many.
      get bytes() {
        return getByteLength(content)
      },
      created: false,
      brokeHardLink,
    }
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    const held = this.#held
    // The first change tells more than that it was made. Half of a pair has not the bytes it would be counted with.
    if (held?.path !== path || this.#unwritten.length === 0) return false
    if (!oldText.isWellFormed() || !newText.isWellFormed()) return false
    if (!this.#isInPlace(held, oldText, newText)) return false
    held.bytes ??= getByteLength(held.text.toString())
    const bytes = held.bytes + getByteLength(newText) - getByteLength(oldText)
    if (bytes > maxBytes || !held.text.replaceOnly(oldText, newText)) return false
    held.bytes = bytes
    this.#unwritten.push({ kind: 'modify', path })
    this.#writes++
    return true
  }

  /** No line endings are to be looked at. */
  #isInPlace(held: Held, oldText: string, newText: string): boolean {
    if (newText.includes('\r')) held.mayHaveCrlf = true
    if (oldText.includes('\r') || newText.includes('\r')) return true
    if (!oldText.includes('\n') && !newText.includes('\n')) return true
    held.mayHaveCrlf ??= held.text.toString().includes('\r\n')
    return !held.mayHaveCrlf
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#beneath().stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#beneath().lstat(path)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#beneath().readBytes(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#beneath().peekBytes(path, maxBytes)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.#beneath().chunks(path)
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.#beneath().copy(from, to)
  }

  makeDirectories(path: ApprovedPath): string[] {
    return this.#beneath().makeDirectories(path)
  }

  remove(path: ApprovedPath): void {
    this.#beneath().remove(path)
  }

  removeDirectory(path: ApprovedPath): void {
    this.#beneath().removeDirectory(path)
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    this.#beneath().move(from, to)
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.#beneath().setExecutable(path, executable)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#beneath().list(path)
  }

  listStats(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[] {
    const store = this.#beneath()
    return store.listStats?.(path, wants) ?? store.list(path)
  }

  #beneath(): FileStore {
    this.flush()
    return this.#inner
  }
}
