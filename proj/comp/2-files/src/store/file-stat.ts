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

/** All entries of a directory on disk, unsorted; those that cannot be examined are `other`. */
export function readEntries(path: string): DirectoryEntry[] {
  return inDirectory(path, 'scandir', (held) => {
    try {
      return readNames(held).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    } catch (error) {
      // Some file systems give no kinds; Node then examines each entry, and one failure aborts the whole listing.
      if (!isNodeError(error) || error.syscall === 'scandir') throw error
      return readdirSync(held).map((name) => (
        { name, kind: orNothing(() => kindOf(lstatSync(join(held, name))), 'other') }
      ))
    }
  })
}

/** As `readEntries`, with the stats of the wanted files. */
export function readStatedEntries(path: string, wants: (name: string) => boolean): StatedEntry[] {
  return inDirectory(path, 'scandir', (held) => readEntries(path).map((entry) => {
    if (entry.kind !== 'file' || !wants(entry.name)) return entry
    const stats = orNothing(() => lstatSync(diskPath(join(held, entry.name))), undefined)
    // What has replaced the file since is not what was listed.
    return stats?.isFile() === true ? { ...entry, stat: toFileStat(stats) } : entry
  }))
}

/** Entries sorted by name (UTF-16 units), without temporary files of hermes. */
export function visible<Entry extends DirectoryEntry>(entries: Entry[]): Entry[] {
  return entries
    .filter(({ name }) => !name.startsWith(TEMP_PREFIX))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
