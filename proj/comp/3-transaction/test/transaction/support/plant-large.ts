/** A file that is mostly holes, with a mark at its beginning, in its midst and at its end. */
import { closeSync, openSync, readSync, truncateSync, writeSync } from 'node:fs'

export function plantLarge(path: string, size: number): void {
  const fd = openSync(path, 'w', 0o640)
  for (const at of placesIn(size)) writeSync(fd, markAt(at), at)
  closeSync(fd)
  truncateSync(path, size)
}

/** Whether all marks of `plantLarge` are there. */
export function hasMarks(path: string, size: number): boolean {
  const fd = openSync(path, 'r')
  try {
    return placesIn(size).every((at) => {
      const bytes = Buffer.alloc(20)
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, 20, at)) === markAt(at)
    })
  } finally {
    closeSync(fd)
  }
}

const placesIn = (size: number): number[] => [0, Math.floor(size * 0.99), size - 20]
const markAt = (at: number): string => `mark ${at}`.padEnd(20)
