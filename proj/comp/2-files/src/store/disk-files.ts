import {
  createReadStream, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { tempBeside } from '../atomic-write/index.js'
import {
  type ApprovedPath, type DirectoryEntry, type FileChange, type FileStat, type FileStore, isNodeError,
  type OverwriteCheck, type StatedEntry, type WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { undoing } from '../descriptors.js'
import { diskPath } from '../disk-path.js'
import { checkFirst } from './check-first.js'
import { copyFile } from './copy-file.js'
import { decodeUtf8 } from './decode-utf8.js'
import { diffText, MAX_DIFF_BYTES } from './diff-text.js'
import { changeExecutable } from './executable-mode.js'
import { readEntries, readStatedEntries, toFileStat, visible } from './file-stat.js'
import { changeMode, inParent } from './held-directory.js'
import { ifExists } from './if-exists.js'
import { moveFile } from './move-file.js'
import { fileError } from './node-errors.js'
import { openRegular, readRegular } from './regular-file.js'
import { replaceBy, replaceFile } from './replace-file.js'

/** The real file system. `changes` has contents only with `keepsTexts`. */
export class DiskFiles implements FileStore {
  readonly #changes: FileChange[] = []
  readonly #keepsTexts: boolean

  /** @param keepsTexts record texts in `changes`, as a dry run does: reads each file before it is changed */
  constructor({ keepsTexts = false }: { keepsTexts?: boolean | undefined } = {}) {
    this.#keepsTexts = keepsTexts
  }

  get changes(): readonly FileChange[] {
    return this.#changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.lstat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    const stats = ifExists(() => (
      inParent(path, 'lstat', (held) => lstatSync(diskPath(held), { throwIfNoEntry: false }))
    ))
    return stats && toFileStat(stats)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return readRegular(path, maxBytes)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.readBytes(path, maxBytes)
  }

  async *chunks(path: ApprovedPath): AsyncGenerator<Uint8Array> {
    yield* readChunks(path)
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    checkFirst(this, path, check)
    const before = this.#textAt(path)
    return this.#recordWrite(path, replaceFile(path, content), before, this.#keepsTexts ? textOf(content) : undefined)
  }

  /** As `write`, for content of any size. */
  fill(path: ApprovedPath, fill: (descriptor: number) => number): WriteOutcome {
    return this.#recordWrite(path, replaceBy(path, fill), this.#textAt(path))
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const before = this.#textAt(to)
    const outcome = copyFile(from, to)
    return this.#recordWrite(to, outcome, before, this.#textAt(to))
  }

  #recordWrite(path: ApprovedPath, outcome: WriteOutcome, before?: string, after?: string): WriteOutcome {
    this.#record({ kind: outcome.created ? 'create' : 'modify', path }, before, after)
    return outcome
  }

  #record(change: FileChange, before?: string, after?: string): void {
    this.#changes.push({ ...change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
  }

  #textAt(path: ApprovedPath): string | undefined {
    return this.#keepsTexts ? diffText(path) : undefined
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    if (!changeExecutable(path, executable)) return false
    const text = this.#textAt(path)
    this.#record({ kind: 'modify', path }, text, text)
    return true
  }

  makeDirectories(path: ApprovedPath): string[] {
    const missing: ApprovedPath[] = []
    for (let here = path; this.stat(here) === undefined; here = dirname(here) as ApprovedPath) missing.unshift(here)
    if (missing.length === 0 && this.stat(path)?.kind !== 'directory') throw fileError('EEXIST', 'mkdir', path)
    // One by one, so that each is recorded even if a later one fails.
    return missing.filter((directory) => this.#makeDirectory(directory))
  }

  #makeDirectory(path: ApprovedPath): boolean {
    try {
      inParent(path, 'mkdir', (held) => mkdirSync(diskPath(held)))
    } catch (error) {
      // Another process may have created it first.
      if (isNodeError(error) && error.code === 'EEXIST' && this.stat(path)?.kind === 'directory') return false
      throw error
    }
    this.#changes.push({ kind: 'create-directory', path })
    return true
  }

  remove(path: ApprovedPath): void {
    const before = this.#textAt(path)
    inParent(path, 'unlink', (held) => {
      if (lstatSync(diskPath(held)).isDirectory()) throw fileError('EISDIR', 'unlink', path)
      unlinkSync(diskPath(held))
    })
    this.#record({ kind: 'delete', path }, before)
  }

  removeDirectory(path: ApprovedPath): void {
    inParent(path, 'rmdir', (held) => rmdirSync(diskPath(held)))
    this.#changes.push({ kind: 'delete-directory', path })
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    const before = this.#textAt(to)
    moveFile(from, to)
    this.#record({ kind: 'move', path: to, from }, before, this.#textAt(to))
  }

  /** Puts a link in the place of any file or link. Only for restoring; no verb makes links. */
  makeLink(path: ApprovedPath, target: Uint8Array): void {
    inParent(path, 'symlink', (held) => {
      const temp = tempBeside(held)
      symlinkSync(Buffer.from(target), temp)
      undoing(() => renameSync(temp, diskPath(held)), () => rmSync(temp, { force: true }))
    })
    this.#changes.push({ kind: 'create', path })
  }

  /** Restores permission bits of a file or directory. */
  setMode(path: ApprovedPath, mode: number): void {
    inParent(path, 'chmod', (held) => changeMode(held, mode, path))
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return visible(readEntries(path))
  }

  listStats(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[] {
    return visible(readStatedEntries(path, wants))
  }
}

function textOf(content: string | Uint8Array): string | undefined {
  if (content.length > MAX_DIFF_BYTES) return undefined
  return typeof content === 'string' ? content : decodeUtf8(content)
}

const CHUNK_BYTES = 1 << 18

export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const { fd } = openRegular(path)
  // The stream closes the descriptor, also when the reader stops early.
  yield* createReadStream(path, { fd, highWaterMark: CHUNK_BYTES })
}
