import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, WriteOutcome,
} from '../../../../0-contracts/src/index.js'

/** A store that tells of every file right before it is written, the first time. */
export class NotedFiles implements FileStore {
  readonly #files: FileStore
  readonly #before: (path: ApprovedPath) => void
  readonly #told = new Set<ApprovedPath>()

  constructor(files: FileStore, before: (path: ApprovedPath) => void) {
    this.#files = files
    this.#before = before
  }

  get changes(): readonly FileChange[] {
    return this.#files.changes
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#files.readBytes(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#files.peekBytes(path, maxBytes)
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    return this.#files.heldText?.(path, maxBytes)
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    if (!this.#files.replaceOnly) return false
    this.#tell(path)
    return this.#files.replaceOnly(path, oldText, newText, maxBytes)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.#files.chunks(path)
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    this.#tell(path)
    return this.#files.write(path, content, check)
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.#files.copy(from, to)
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
    this.#files.move(from, to)
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#files.stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#files.lstat(path)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#files.list(path)
  }

  #tell(path: ApprovedPath): void {
    if (this.#told.has(path)) return
    this.#told.add(path)
    this.#before(path)
  }
}
