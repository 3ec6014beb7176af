import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { TEMP_PREFIX } from '../atomic-write/index.js'
import { type DirectoryEntry, type FileStat, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { readNames } from '../disk-path.js'
import { inDirectory } from './held-directory.js'

export function toFileStat(stats: Stats): FileStat {
  return { kind: kindOf(stats), size: stats.size, mtimeMs: stats.mtimeMs, links: stats.nlink }
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

/** Sorted by name (UTF-16 units), temporary files of hermes left out. */
export function visible(entries: DirectoryEntry[]): DirectoryEntry[] {
  return entries
    .filter(({ name }) => !name.startsWith(TEMP_PREFIX))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
