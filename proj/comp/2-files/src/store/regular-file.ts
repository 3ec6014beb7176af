import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { HermesError } from '../../../0-contracts/src/index.js'
import { closing, undoing } from '../descriptors.js'
import { diskPath } from '../disk-path.js'
import { inParent } from './held-directory.js'
import { fileError } from './node-errors.js'

/** @throws `EISDIR` for directories, `ELOOP` for links, HermesError `NOT_TEXT` for devices, pipes and sockets */
export function requireRegular(stats: Stats, syscall: string, path: string): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw fileError('EISDIR', syscall, path)
  // Approved paths have no links, so this one was put here since.
  if (stats.isSymbolicLink()) throw fileError('ELOOP', syscall, path)
  throw new HermesError('NOT_TEXT', `Not a regular file: ${path}`, {
    hint: 'It is a device, a pipe or a socket; only regular files can be read and written.',
  })
}

/** These flags are undefined on Windows. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file for reading. Examines it before opening, since opening some devices has side effects, and again
 * afterwards; `O_NONBLOCK` prevents waiting for a pipe that appeared in between.
 */
export function openRegular(path: string): { fd: number; size: number } {
  return inParent(path, 'open', (held) => openHeld(held, path))
}

/** @param held path by which `path` is reached */
export function openHeld(held: string, path: string): { fd: number; size: number } {
  requireRegular(lstatSync(diskPath(held)), 'read', path)
  const fd = openSync(diskPath(held), READ_FLAGS)
  return undoing(() => {
    const stats = fstatSync(fd)
    requireRegular(stats, 'read', path)
    return { fd, size: stats.size }
  }, () => closeSync(fd))
}

/** @throws HermesError `FILE_TOO_LARGE` over `maxBytes` */
export function readRegular(path: string, maxBytes: number): Uint8Array {
  const { fd, size } = openRegular(path)
  return closing(fd, () => {
    if (size > maxBytes) throw tooLarge(path, size, maxBytes)
    // One byte more than expected detects growth; files of /proc report size 0 but have content.
    let buffer = Buffer.allocUnsafe(size + 1)
    let length = 0
    for (;;) {
      const count = readSync(fd, buffer, length, buffer.length - length, null)
      if (count === 0) return buffer.subarray(0, length)
      length += count
      if (length > maxBytes) throw tooLarge(path, length, maxBytes)
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length + 4096, maxBytes + 1))
    }
  })
}

export function tooLarge(path: string, size: number, maxBytes: number): HermesError {
  return new HermesError('FILE_TOO_LARGE', `File is too large: ${path} (${size} bytes, at most ${maxBytes})`, {
    hint: 'Use a verb that reads or searches a part of it.',
  })
}
