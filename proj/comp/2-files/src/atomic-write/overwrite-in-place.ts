import { constants, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, type Stats, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { HermesError, isNodeError, unlessCode } from '../../../0-contracts/src/index.js'
import { closing, undoing } from '../descriptors.js'
import { diskPath } from '../disk-path.js'
import { type Fill, fillFrom } from './fill.js'
import { TEMP_FLAGS } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

/**
 * Writes files that rename cannot replace. Saves the old content first, beside the file or, where that is not possible,
 * in the directory for temporary files. Restores it when the write fails, and removes the copy only when the file is
 * complete.
 *
 * @param check throws for a file that must not be written
 * @returns number of bytes written
 * @throws Node's errors when the old content was restored; otherwise a HermesError that names the copy in its hint
 */
export function overwriteInPlace(path: string, fill: Fill, check?: (stats: Stats) => void): number {
  const fd = openSync(diskPath(path), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  return closing(fd, () => {
    check?.(fstatSync(fd))
    const saved = save(fd, path)
    let bytes: number
    try {
      bytes = writeWhole(fd, fill)
    } catch (error) {
      restore(fd, saved, path)
      throw error
    }
    unlinkSync(saved)
    return bytes
  })
}

const CLOSED = ['EACCES', 'EPERM', 'EROFS']

/** @returns path of the copy */
function save(fd: number, path: string): string {
  const beside = tempBeside(path)
  return unlessCode(CLOSED, () => saveTo(fd, beside), undefined) ?? saveTo(fd, join(tmpdir(), basename(beside)))
}

/** @returns `saved` */
function saveTo(fd: number, saved: string): string {
  undoing(() => closing(openSync(saved, TEMP_FLAGS, 0o600), (copy) => {
    fillFrom(fd)(copy)
    fsyncSync(copy)
  }), () => rmSync(saved, { force: true }))
  return saved
}

function restore(fd: number, saved: string, path: string): void {
  try {
    const source = openSync(saved, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    closing(source, () => writeWhole(fd, fillFrom(source)))
    unlinkSync(saved)
  } catch (error) {
    const code = isNodeError(error) ? error.code : 'INTERNAL'
    throw new HermesError(code, `${code}: the file is damaged, its old content could not be put back: ${path}`, {
      hint: `The old content is in ${saved}: make room, then copy it back.`,
      cause: error,
    })
  }
}

function writeWhole(fd: number, fill: Fill): number {
  const bytes = fill(fd)
  ftruncateSync(fd, bytes)
  fsyncSync(fd)
  return bytes
}
