import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { caught, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { hermesHome, shownHome } from './hermes-home.js'

/**
 * Creates a directory of the user's own with its parents, accessible by the owner only. An existing one stays. Node's
 * `recursive` loops for ever on a file system (`/proc`) that takes no directory in an existing parent.
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
 * Runs a task that writes a file of the user's own; turns refusals of the system into errors with a hint.
 *
 * @param path the file, or its directory
 * @throws HermesError with the code of the system
 */
export function writingOwn<T>(path: string, task: () => T): T {
  return caught(isNodeError, task, (error) => {
    throw cannotWrite(path, error)
  })
}

function cannotWrite(path: string, error: Error & { code: string }): HermesError {
  const isOfHome = path.startsWith(join(hermesHome(), '/'))
  return new HermesError(error.code, `Cannot write ${shownHome(path)} (${error.code})`, {
    hint: 'Make room, or the directory '
      + `writable.${isOfHome ? ' HERMES_HOME=DIR takes the place of ~/.hermes.' : ''}`,
    cause: error,
  })
}
