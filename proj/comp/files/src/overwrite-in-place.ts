import {
  closeSync, constants, copyFileSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, unlinkSync, writeSync,
} from 'node:fs'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { tempBeside } from './temp-name.js'

/**
 * For files that rename cannot replace. The old content is first saved beside the file; it is put back when the
 * write fails, and the copy goes only when the file is whole again.
 *
 * @throws Node's errors when the old content is back; HermesError with the name of the copy in its hint when not
 */
export function overwriteInPlace(path: string, bytes: Uint8Array): void {
  const saved = tempBeside(path)
  const fd = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    save(path, saved)
    try {
      writeWhole(fd, bytes)
    } catch (error) {
      restore(fd, saved, path)
      throw error
    }
    unlinkSync(saved)
  } finally {
    closeSync(fd)
  }
}

function save(path: string, saved: string): void {
  try {
    copyFileSync(path, saved, constants.COPYFILE_EXCL)
    const fd = openSync(saved, constants.O_RDONLY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    rmSync(saved, { force: true })
    throw error
  }
}

function restore(fd: number, saved: string, path: string): void {
  try {
    writeWhole(fd, readFileSync(saved))
    unlinkSync(saved)
  } catch (error) {
    const code = isNodeError(error) ? error.code : 'INTERNAL'
    throw new HermesError(code, `${code}: the file is damaged, its old content could not be put back: ${path}`, {
      hint: `The old content is in ${saved}: make room, then copy it back.`,
      cause: error,
    })
  }
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, done)
  ftruncateSync(fd, bytes.length)
  fsyncSync(fd)
}
