import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOfName, isOddName, nameOfBytes } from '../../0-text/src/index.js'

/** A path as functions of `node:fs` take it: as bytes where names in it are not UTF-8. */
export function diskPath(path: string): string | Buffer {
  return isOddName(path) ? Buffer.from(bytesOfName(path)) : path
}

/** `realpathSync.native`, with every byte of the path kept. */
export function realPath(path: string): string {
  const place = diskPath(path)
  const real = realpathSync.native(place)
  return isLossy(real) ? nameOfBytes(realpathSync.native(place, 'buffer')) : real
}

/** `readlinkSync`, with every byte of the target kept. */
export function readLink(path: string): string {
  const place = diskPath(path)
  const target = readlinkSync(place)
  return isLossy(target) ? nameOfBytes(readlinkSync(place, 'buffer')) : target
}

/** `readdirSync` with kinds, with every byte of the names kept. */
export function readNames(directory: string): Dirent[] {
  const place = diskPath(directory)
  const entries = readdirSync(place, { withFileTypes: true })
  if (!entries.some(({ name }) => isLossy(name))) return entries
  return readdirSync(place, { withFileTypes: true, encoding: 'buffer' }).map((entry) => (
    Object.assign(Object.create(entry) as Dirent, { name: nameOfBytes(entry.name) })
  ))
}

/** Whether a link is at a name below a directory, or at one on the way there; `/` is between its parts. */
export function leadsThroughLink(directory: string, name: string): boolean {
  let place = directory
  for (const part of name.split('/')) {
    place = join(place, part)
    const stats = lstatSync(diskPath(place), { throwIfNoEntry: false })
    if (!stats?.isDirectory()) return stats?.isSymbolicLink() === true
  }
  return false
}

/** Node puts U+FFFD in the place of bytes that are not UTF-8. */
function isLossy(name: string): boolean {
  return name.includes('\ufffd')
}
