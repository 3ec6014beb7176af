import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives `task` an empty directory, and removes it. */
export async function inScratch<T>(task: (directory: string) => Promise<T>): Promise<T> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-doctor-')))
  try {
    return await task(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
