import { dirname } from 'node:path'
import { linkTarget, LockFile } from '../../../2-files/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { makeOwnDirectory, writingOwn } from './own-directory.js'

/** A change takes a moment. */
const WAIT_MS = 10_000

/**
 * Holds `FILE.lock`, so that no other hermes changes the file between a look at it and its replacement. Directories
 * that lead to it are made for their owner alone.
 *
 * @throws HermesError `LOCKED` where another holds it for ten seconds; with the code of the system where it cannot be
 * written
 */
export async function whileLocked<T>(path: string, task: () => T): Promise<T> {
  const file = writingOwn(path, () => linkTarget(path))
  const place = (): string => {
    makeOwnDirectory(dirname(file))
    return `${file}.lock`
  }
  const lock = await LockFile.acquire(place, 'config', { waitMs: WAIT_MS, locked })
    .catch((error: unknown) => writingOwn(path, () => { throw error }))
  try {
    return writingOwn(path, task)
  } finally {
    lock.release()
  }
}

function locked(who: string, lock: string): HermesError {
  return new HermesError('LOCKED', `Another process changes ${lock.slice(0, -'.lock'.length)} (${who})`, {
    hint: `Try again when it is done. If you know that it is gone, remove ${lock}.`,
  })
}
