import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

/**
 * A directory below `.hermes/` in the root, created where it is missing: what hermes itself keeps between runs. Only
 * its owner may look in (mode 700), and git ignores it.
 *
 * @param names of the directories below `.hermes`, outermost first
 * @throws HermesError `POLICY_DENIED` where a link or a file stands in its place; Node's errors
 */
export function stateDirectory(root: string, ...names: string[]): string {
  const base = join(root, '.hermes')
  makeDirectory(base)
  ignoreInGit(join(base, '.gitignore'))
  return names.reduce((parent, name) => {
    const directory = join(parent, name)
    makeDirectory(directory)
    return directory
  }, base)
}

/** Also where an earlier process died, or found the disk full, before it had written all of it. */
function ignoreInGit(path: string): void {
  if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) writeFileSync(path, '*\n', { mode: 0o600 })
}

/** A link is refused: it could lead anywhere. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EEXIST') throw error
    if (lstatSync(path).isDirectory()) return
    throw new HermesError('POLICY_DENIED', `'${path}' is not a directory of hermes`, {
      hint: 'Ask the user to remove it: hermes keeps its own files there.',
    })
  }
}
