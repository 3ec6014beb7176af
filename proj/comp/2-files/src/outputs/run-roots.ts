import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'

/** Canonical. Kept for the whole process: whatever of it writes an output, links that a run left behind count. */
const roots = new Set<string>()

/** Tells in which directories runs work (root and `--allow`): links in them are not followed to write an output. */
export function noteRunRoots(directories: Iterable<string>): void {
  for (const directory of directories) {
    const full = resolve(directory)
    roots.add(orNothing(() => realpathSync.native(full), full))
  }
}

/** @param path canonical but for its last name. @returns the directory in which runs work and which holds it */
export function runRootOf(path: string): string | undefined {
  return [...roots].find((root) => path !== root && isInside(root, path))
}
