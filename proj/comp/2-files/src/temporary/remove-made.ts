import { randomUUID } from 'node:crypto'
import { chmod, lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { diskPath, readNames } from '../disk-path.js'

const OPTIONS = { recursive: true, force: true, maxRetries: 3 } as const
/**
 * Errors that flattening can fix: directories are locked or nested too deep for a path, or a process still writes into
 * them.
 */
const MENDED = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG']

/** Removes a directory of hermes' own, even if commands have locked parts of it or nested it too deep for a path. */
export async function removeMade(path: string): Promise<void> {
  try {
    await rm(path, OPTIONS)
  } catch (error) {
    if (!isNodeError(error) || !MENDED.includes(error.code)) throw error
    await flatten(path)
    await rm(path, OPTIONS)
  }
}

/** Unlocks all directories, and moves nested ones to the top, where their paths are short. */
async function flatten(top: string): Promise<void> {
  const prefix = randomUUID()
  const directories = [top]
  for (const directory of directories) {
    await unlock(directory)
    for (const { name } of readNames(directory).filter((entry) => entry.isDirectory())) {
      const old = join(directory, name)
      const place = directory === top ? old : join(top, `${prefix}-${directories.length}`)
      if (place !== old) {
        // A locked directory cannot be moved, since its `..` entry changes.
        await unlock(old)
        await rename(diskPath(old), place)
      }
      directories.push(place)
    }
  }
}

async function unlock(directory: string): Promise<void> {
  const place = diskPath(directory)
  const { mode } = await lstat(place)
  if ((mode & 0o700) !== 0o700) await chmod(place, 0o700)
}
