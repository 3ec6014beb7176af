import { constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { closing } from '../../../2-files/src/index.js'
import { makeOwnDirectory } from './own-directory.js'

/** Only its owner reads what was typed. */
const MODE = 0o600

/**
 * Opens a file of the user's own to read it and to add to it; it is made where there is none, and closed to others. A
 * link is not followed: what it leads to is no file of ours. A pipe does not wait for its other end.
 *
 * @throws Node's errors
 */
export function withOwnFile<T>(file: string, task: (descriptor: number) => T): T {
  makeOwnDirectory(dirname(file))
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT
  // Windows has neither.
  const descriptor = openSync(file, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), MODE)
  return closing(descriptor, () => {
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, MODE)
    return task(descriptor)
  })
}
