import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'

const OPTIONS = { recursive: true, force: true, maxRetries: 3 } as const

/** Removes a directory, also where commands have locked parts of it. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, OPTIONS)
  } catch (error) {
    if (!isNodeError(error) || !['EACCES', 'EPERM', 'ENOTEMPTY'].includes(error.code)) throw error
    await unlock(path)
    await rm(path, OPTIONS)
  }
}

async function unlock(directory: string): Promise<void> {
  const stats = await lstat(directory)
  if ((stats.mode & 0o700) !== 0o700) await chmod(directory, 0o700)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(directory, entry.name))
  }
}
