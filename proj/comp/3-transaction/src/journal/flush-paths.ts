import { constants, fsyncSync, lstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { isNodeError, unlessCode } from '../../../0-contracts/src/index.js'
import { closing, diskPath } from '../../../2-files/src/index.js'

/**
 * Flushes files and the directories that name them, each once, so that changes and removals survive a loss of power.
 * Files inside a moved directory are not flushed, since they did not change.
 *
 * @param paths absolute
 * @throws Node's errors, except for what is gone meanwhile
 */
export function flushPaths(paths: Iterable<string>): void {
  const directories = new Set<string>()
  for (const path of paths) {
    directories.add(dirname(path))
    const stats = lstatSync(diskPath(path), { throwIfNoEntry: false })
    if (stats?.isDirectory()) directories.add(path)
    else if (stats?.isFile()) flush(path)
  }
  for (const directory of directories) flushDirectory(directory)
}

/** Flushes the entries of a directory, where the system supports that. */
export function flushDirectory(directory: string): void {
  // Windows cannot open directories, and makes their entries durable by itself.
  if (process.platform === 'win32') return
  // Some network file systems do not support it.
  unlessCode(['EINVAL', 'ENOTSUP', 'ENOSYS'], () => flush(directory), undefined)
}

function flush(path: string): void {
  const fd = openAny(path)
  if (fd !== undefined) closing(fd, fsyncSync)
}

function openAny(path: string): number | undefined {
  for (const mode of [constants.O_RDONLY, constants.O_WRONLY]) {
    try {
      return openSync(diskPath(path), mode | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      if (!isNodeError(error)) throw error
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      // The file may be writable but not readable.
      if (error.code !== 'EACCES' || mode === constants.O_WRONLY) throw error
    }
  }
  return undefined
}
