import { closeSync, fstatSync, readSync } from 'node:fs'

const LINE_FEED = 10

/** Does something with an open file, and closes it, whatever comes of that. */
export function closing<T>(fd: number, act: (fd: number) => T): T {
  try {
    return act(fd)
  } finally {
    closeSync(fd)
  }
}

/** Does something; where that fails, undoes what was done for it before the error goes on. */
export function undoing<T>(act: () => T, undo: () => void): T {
  try {
    return act()
  } catch (error) {
    undo()
    throw error
  }
}

/**
 * Fills the buffer, unless the file ends first.
 *
 * @param from where in the file; `null`: from where the last read ended
 * @returns number of bytes
 */
export function readWhole(fd: number, buffer: Uint8Array, from: number | null): number {
  let length = 0
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, from === null ? null : from + length)
    if (count === 0) break
    length += count
  }
  return length
}

/** At most so many bytes from a place in a file; fewer where it ends first. */
export function bytesAt(fd: number, from: number, most: number): Buffer {
  const buffer = Buffer.alloc(most)
  return buffer.subarray(0, readWhole(fd, buffer, from))
}

/** Whether the last line of a regular file lacks its end; an empty file has no line. */
export function endsInMidLine(fd: number): boolean {
  const { size } = fstatSync(fd)
  return size > 0 && bytesAt(fd, size - 1, 1)[0] !== LINE_FEED
}
