import { readSync, writeSync } from 'node:fs'

/** Writes the whole content of a file, from its beginning; returns its bytes. May be called for several files. */
export type Fill = (fd: number) => number

export function fillWith(bytes: Uint8Array): Fill {
  return (fd) => {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, done)
    return bytes.length
  }
}

const CHUNK_BYTES = 1 << 18

/** @param size copies no more than this, so that a file which grows all the while comes to an end */
export function fillFrom(source: number, size = Infinity): Fill {
  return (fd) => {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1)))
    let done = 0
    while (done < size) {
      const count = readSync(source, buffer, 0, Math.min(buffer.length, size - done), done)
      if (count === 0) break
      for (let at = 0; at < count;) at += writeSync(fd, buffer, at, count - at, done + at)
      done += count
    }
    return done
  }
}
