import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, WriteOutcome,
} from '../../../../0-contracts/src/index.js'

/** A store that its handler can use until the call is over. Each method is done when it returns: none is cut short. */
export class ClosingFiles implements FileStore {
  readonly #files: FileStore
  readonly #requireOpen: (what: string) => void

  /** @param requireOpen throws once the call is over */
  constructor(files: FileStore, requireOpen: (what: string) => void) {
    this.#files = files
    this.#requireOpen = requireOpen
  }

  get changes(): readonly FileChange[] {
    return this.#files.changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.#open('look at', path).stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.#open('look at', path).lstat(path)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#open('read', path).readBytes(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#open('read', path).peekBytes(path, maxBytes)
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    return this.#open('read', path).heldText?.(path, maxBytes)
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    return this.#open('change', path).replaceOnly?.(path, oldText, newText, maxBytes) ?? false
  }

  async *chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    for await (const chunk of this.#open('read', path).chunks(path)) {
      yield chunk
      this.#requireOpen(`read ${path}`)
    }
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    return this.#open('write', path).write(path, content, check)
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.#open('write', to).copy(from, to)
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.#open('change', path).setExecutable(path, executable)
  }

  makeDirectories(path: ApprovedPath): string[] {
    return this.#open('make', path).makeDirectories(path)
  }

  async readAhead(path: ApprovedPath, signal: AbortSignal): Promise<void> {
    await this.#open('read', path).readAhead?.(path, signal)
  }

  remove(path: ApprovedPath): void {
    this.#open('remove', path).remove(path)
  }

  removeDirectory(path: ApprovedPath): void {
    this.#open('remove', path).removeDirectory(path)
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    this.#open('move', from).move(from, to)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.#open('list', path).list(path)
  }

  #open(action: string, path: ApprovedPath): FileStore {
    this.#requireOpen(`${action} ${path}`)
    return this.#files
  }
}
