import { copyFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { isNodeError } from '../../../../0-contracts/src/index.js'

/**
 * Copies an index, where there is one, with its time: git reads a file anew, though its size and time are as noted,
 * where it was changed no earlier than the index was written. In a copy that looks newer it would miss what was changed
 * in the same second.
 */
export function copyIndex(from: string, to: string): void {
  try {
    // Looked at first: of an index that is replaced meanwhile the time is too early, and git only reads more.
    const seconds = Math.floor(statSync(from).mtimeMs / 1000)
    copyFileSync(from, to)
    utimesSync(to, seconds, seconds)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOENT') throw error
  }
}

/** Removes an index that was made for a while, and the lock that a git which was killed has left. */
export function removeIndex(path: string): void {
  rmSync(path, { force: true })
  rmSync(`${path}.lock`, { force: true })
}
