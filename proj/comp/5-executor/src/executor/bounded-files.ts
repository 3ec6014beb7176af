import { basename } from 'node:path'
import {
  HermesError, type ApprovedPath, type DirectoryEntry, type FileChange, type FileStat, type FileStore,
  type OverwriteCheck, type WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { commandOf } from '../../../2-packages/src/index.js'

/** npm reads no larger ones. */
const MAX_MANIFEST_BYTES = 10_000_000

/** A store that takes so many bytes of one run and no more. */
export class BoundedFiles implements FileStore {
  readonly #files: FileStore
  readonly #maxBytes: number
  #written = 0

  constructor(files: FileStore, maxBytes: number) {
    this.#files = files
    this.#maxBytes = maxBytes
  }

  get changes(): readonly FileChange[] {
    return this.#files.changes
  }

  /** @throws HermesError `POLICY_DENIED` where it would be too much; and as the store */
  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    this.#require(typeof content === 'string' ? Buffer.byteLength(content) : content.length)
    this.#keepCommand(path, () => (typeof content === 'string' ? content : Buffer.from(content).toString('utf8')))
    return this.#count(this.#files.write(path, content, check))
  }

  /** @throws HermesError `POLICY_DENIED` where it would be too much; and as the store */
  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    this.#require(this.#files.stat(from)?.size ?? 0)
    this.#keepCommand(to, () => this.#textOf(from))
    return this.#count(this.#files.copy(from, to))
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#files.stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#files.lstat(path)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#files.readBytes(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#files.peekBytes(path, maxBytes)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.#files.chunks(path)
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.#files.setExecutable(path, executable)
  }

  makeDirectories(path: ApprovedPath): string[] {
    return this.#files.makeDirectories(path)
  }

  async readAhead(path: ApprovedPath, signal: AbortSignal): Promise<void> {
    await this.#files.readAhead?.(path, signal)
  }

  remove(path: ApprovedPath): void {
    this.#files.remove(path)
  }

  removeDirectory(path: ApprovedPath): void {
    this.#files.removeDirectory(path)
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    this.#keepCommand(to, () => this.#textOf(from))
    this.#files.move(from, to)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#files.list(path)
  }

  #require(bytes: number): void {
    if (this.#written + bytes <= this.#maxBytes) return
    throw new HermesError(
      'POLICY_DENIED', `Not written: a run may write ${this.#maxBytes} bytes, and ${this.#written} are written`,
      { hint: 'Write less, or send the rest in another answer. Only the user can raise the limit (limits.written).' },
    )
  }

  /** `bin` of a project's manifest decides what the next `npx hermes` is; all else of it may change. */
  #keepCommand(path: ApprovedPath, text: () => string): void {
    if (basename(path) !== 'package.json' || commandOf(text()) === commandOf(this.#textOf(path))) return
    const why = 'bin of a package.json decides what the next "npx hermes" runs'
    throw new HermesError('POLICY_DENIED', `Not written: ${why}`, {
      hint: 'Leave the command hermes in bin (and directories.bin) as it is; ask the user to change it.',
    })
  }

  #textOf(path: ApprovedPath): string {
    const isFile = this.#files.stat(path)?.kind === 'file'
    return isFile ? Buffer.from(this.#files.peekBytes(path, MAX_MANIFEST_BYTES)).toString('utf8') : ''
  }

  #count(outcome: WriteOutcome): WriteOutcome {
    this.#written += outcome.bytes
    return outcome
  }
}
