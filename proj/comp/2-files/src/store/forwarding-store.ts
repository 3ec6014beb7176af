import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, StatedEntry, VerbContext,
  WriteOutcome,
} from '../../../0-contracts/src/index.js'

/** What a call does with its path; completes the sentence "it wants to". */
export type FileUse = 'look at' | 'read' | 'write' | 'change' | 'make' | 'remove' | 'move' | 'list'

/** A store that forwards every call to another one: a base for stores that extend some of the calls. */
export class ForwardedFiles implements FileStore {
  constructor(protected readonly inner: FileStore) {}

  get changes(): readonly FileChange[] {
    return this.inner.changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.to('look at', path).stat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    return this.to('look at', path).lstat(path)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.to('read', path).readBytes(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.to('read', path).peekBytes(path, maxBytes)
  }

  chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    return this.to('read', path).chunks(path)
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    return this.to('write', path).write(path, content, check)
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    return this.to('write', to).copy(from, to)
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    return this.to('change', path).setExecutable(path, executable)
  }

  makeDirectories(path: ApprovedPath): string[] {
    return this.to('make', path).makeDirectories(path)
  }

  async readAhead(path: ApprovedPath, call: Pick<VerbContext, 'signal'>): Promise<void> {
    await this.to('read', path).readAhead?.(path, call)
  }

  remove(path: ApprovedPath): void {
    this.to('remove', path).remove(path)
  }

  removeDirectory(path: ApprovedPath): void {
    this.to('remove', path).removeDirectory(path)
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    this.to('move', from).move(from, to)
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return this.to('list', path).list(path)
  }

  listStats(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[] {
    const store = this.to('list', path)
    return store.listStats?.(path, wants) ?? store.list(path)
  }

  /** The store to forward to. Every call passes through here, so an override may refuse it. */
  protected to(_use: FileUse, _path: ApprovedPath): FileStore {
    return this.inner
  }
}
