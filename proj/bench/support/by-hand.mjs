import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/** The least that replaces a file so that nobody sees half of it. @param flushes waits until it is on the disk */
export function writeByHand(path, content, flushes = false) {
  const temp = `${path}.tmp`
  const fd = openSync(temp, 'wx')
  writeSync(fd, content)
  if (flushes) fsyncSync(fd)
  closeSync(fd)
  renameSync(temp, path)
}
