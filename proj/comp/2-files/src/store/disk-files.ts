import {
  createReadStream, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync,
} from 'node:fs'
import type {
  ApprovedPath, DirectoryEntry, FileStat, FileStore, StatedEntry, WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { tempBeside } from '../atomic-write/index.js'
import { undoing } from '../descriptors.js'
import { diskPath } from '../disk-path.js'
import { copyFile } from './copy-file.js'
import { diffText } from './diff-text.js'
import { changeExecutable } from './executable-mode.js'
import { readEntries, readStatedEntries, toFileStat, visible } from './file-stat.js'
import { changeMode, inParent } from './held-directory.js'
import { ifExists } from './if-exists.js'
import { moveFile } from './move-file.js'
import { fileError } from './node-errors.js'
import { RecordedFiles } from './recorded-files.js'
import { openRegular, readRegular } from './regular-file.js'
import { replaceBy, replaceFile } from './replace-file.js'

/** The real file system. */
export class DiskFiles extends RecordedFiles implements FileStore {
  protected override readonly replace = replaceFile
  protected override readonly replaceByCopy = copyFile
  protected override readonly changeExecutable = changeExecutable
  protected override readonly rename = moveFile
  protected override readonly diffText = diffText

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

  /** As `write`, for content of any size. */
  fill(path: ApprovedPath, fill: (descriptor: number) => number): WriteOutcome {
    return this.recordWrite(path, replaceBy(path, fill), this.textAt(path))
  }

  /** Puts a link in the place of any file or link. Only for restoring; no verb makes links. */
  makeLink(path: ApprovedPath, target: Uint8Array): void {
    inParent(path, 'symlink', (held) => {
      const temp = tempBeside(held)
      symlinkSync(Buffer.from(target), temp)
      undoing(() => renameSync(temp, diskPath(held)), () => rmSync(temp, { force: true }))
    })
    this.record({ kind: 'create', path })
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

  protected override mkdir(path: ApprovedPath): void {
    inParent(path, 'mkdir', (held) => mkdirSync(diskPath(held)))
  }

  protected override unlink(path: ApprovedPath): void {
    inParent(path, 'unlink', (held) => {
      if (lstatSync(diskPath(held)).isDirectory()) throw fileError('EISDIR', 'unlink', path)
      unlinkSync(diskPath(held))
    })
  }

  protected override rmdir(path: ApprovedPath): void {
    inParent(path, 'rmdir', (held) => rmdirSync(diskPath(held)))
  }
}

const CHUNK_BYTES = 1 << 18

export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const { fd } = openRegular(path)
  // The stream closes the descriptor, also when the reader stops early.
  yield* createReadStream(path, { fd, highWaterMark: CHUNK_BYTES })
}
