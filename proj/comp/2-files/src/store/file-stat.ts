import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { TEMP_PREFIX } from '../atomic-write/index.js'
import {
  type DirectoryEntry, type FileStat, isNodeError, orNothing, type StatedEntry,
} from '../../../0-contracts/src/index.js'
import { diskPath, readNames } from '../disk-path.js'
import { inDirectory } from './held-directory.js'

export function toFileStat(stats: Stats): FileStat {
  const { size, mtimeMs, ctimeMs, nlink: links } = stats
  return { kind: kindOf(stats), size, mtimeMs, ctimeMs, links }
}

export function kindOf(entry: Stats | Dirent): FileStat['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Every entry of a directory on disk, unsorted; one that cannot be looked at is `other`. */
export function readEntries(path: string): DirectoryEntry[] {
  return inDirectory(path, 'scandir', (held) => {
    try {
      return readNames(held).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    } catch (error) {
      // Some file systems give no kinds; Node then looks at each entry, and one failure ends the whole listing.
      if (!isNodeError(error) || error.syscall === 'scandir') throw error
      return readdirSync(held).map((name) => ({ name, kind: kindAt(join(held, name)) }))
    }
  })
}

function kindAt(path: string): FileStat['kind'] {
  return orNothing(() => kindOf(lstatSync(path)), 'other')
}

/** As `readEntries`, with the stats of those files that are wanted. */
export function readStatedEntries(path: string, wants: (name: string) => boolean): StatedEntry[] {
  return inDirectory(path, 'scandir', (held) => readEntries(path).map((entry) => {
    if (entry.kind !== 'file' || !wants(entry.name)) return entry
    const stats = orNothing(() => lstatSync(diskPath(join(held, entry.name))), undefined)
    // What was put in its place meanwhile is no file of the listing.
    return stats?.isFile() === true ? { ...entry, stat: toFileStat(stats) } : entry
  }))
}

/** Sorted by name (UTF-16 units), temporary files of hermes left out. */
export function visible<Entry extends DirectoryEntry>(entries: Entry[]): Entry[] {
  return entries
    .filter(({ name }) => !name.startsWith(TEMP_PREFIX))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
