import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { linkTarget } from '../../atomic-write/src/index.js'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { makeOwnDirectory, writingOwn } from './own-directory.js'

const WAIT_MS = 20
const TRIES = 500

/**
 * Holds `FILE.lock`, so that no other hermes changes the file between a look at it and its replacement. Directories
 * that lead to it are made for their owner alone.
 *
 * @throws HermesError `LOCKED` where another holds it for ten seconds; with the code of the system where it cannot be
 * written
 */
export async function whileLocked<T>(path: string, task: () => T): Promise<T> {
  const file = writingOwn(path, () => linkTarget(path))
  const lock = `${file}.lock`
  writingOwn(path, () => makeOwnDirectory(dirname(file)))
  for (let tries = 1; !writingOwn(path, () => isTaken(lock)); tries++) {
    if (tries === TRIES) {
      throw new HermesError('LOCKED', `Another process changes ${file}`, {
        hint: `Try again. If there is none, it died: remove ${lock}.`,
      })
    }
    await sleep(WAIT_MS)
  }
  try {
    return writingOwn(path, task)
  } finally {
    rmSync(lock, { force: true })
  }
}

function isTaken(lock: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(lock, 'wx', 0o600)
  } catch (error) {
    if (isNodeError(error) && error.code === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(descriptor, `${process.pid}\n`)
    return true
  } catch (error) {
    // The disk is full: one that stayed would keep everybody out for good.
    rmSync(lock, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}
