import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { hermesHome } from './hermes-home.js'
import { shownHome } from './policy-files.js'

/**
 * Makes a directory of the user's own, with those that lead to it, for its owner alone. One that is there stays. Node's
 * `recursive` tries for ever where a file system (`/proc`) takes no directory though the parent is there.
 *
 * @throws Node's errors
 */
export function makeOwnDirectory(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOENT' || dirname(path) === path) throw error
    makeOwnDirectory(dirname(path))
    makeOne(path)
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EEXIST') throw error
    if (!statSync(path).isDirectory()) throw error
  }
}

/**
 * Does what writes a file of the user's own; what the system refuses becomes a line to act on.
 *
 * @param path the file, or the directory it lies in
 * @throws HermesError with the code of the system
 */
export function writingOwn<T>(path: string, task: () => T): T {
  try {
    return task()
  } catch (error) {
    throw isNodeError(error) ? cannotWrite(path, error) : error
  }
}

function cannotWrite(path: string, error: Error & { code: string }): HermesError {
  return new HermesError(error.code, `Cannot write ${shownHome(path)} (${error.code})`, {
    hint: 'Make room, or the directory '
      + `writable.${isOfHome(path) ? ' HERMES_HOME=DIR takes the place of ~/.hermes.' : ''}`,
    cause: error,
  })
}

function isOfHome(path: string): boolean {
  return path.startsWith(join(hermesHome(), '/'))
}
