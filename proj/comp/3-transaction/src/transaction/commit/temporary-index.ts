import { rmSync } from 'node:fs'

/** Removes an index that was made for a while, and the lock that a git which was killed has left. */
export function removeIndex(path: string): void {
  rmSync(path, { force: true })
  rmSync(`${path}.lock`, { force: true })
}
