import { join } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { makeOwnDirectory, writingOwn } from '../../2-config/src/index.js'
import { LockFile } from '../../2-files/src/index.js'

/**
 * Makes the directory of a service, and locks it for this process.
 *
 * @param name of the service @param who works there, and what to do where another does
 * @throws HermesError `LOCKED`
 */
export function lockService(
  directory: string, name: 'cron' | 'gateway', { who, hint }: { who: string; hint: string },
): LockFile {
  const lock = writingOwn(directory, () => {
    makeOwnDirectory(directory)
    return LockFile.tryAt(join(directory, 'lock'), name)
  })
  if (lock instanceof LockFile) return lock
  throw new HermesError('LOCKED', `Another ${who} works already (process ${lock.pid} on ${lock.host})`, { hint })
}
