import { lstatSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'

const BEAT_FILE = 'alive'
const EVERY_MS = 50

/**
 * Records, from the first command of a run on, how long it lived: files changed after its last beat may not be its
 * work. The times are those of the file system, like the file times they are compared with.
 *
 * @param directory of the run's journal
 * @returns stops it, with the run
 */
export function startHeartbeat(directory: string): () => void {
  const file = join(directory, BEAT_FILE)
  writeFileSync(file, '', { mode: 0o600 })
  const timer = setInterval(() => {
    const now = new Date()
    // If a beat fails, more files count as the work of others, which is safe.
    orNothing(() => utimesSync(file, now, now), undefined)
  }, EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    rmSync(file, { force: true })
  }
}

/**
 * Latest time at which the run may have lived, in nanoseconds since 1970; `undefined` where it ran no command. Includes
 * the interval of one more beat, since what is written so soon is a command's, not a person's.
 */
export function aliveUntil(directory: string): bigint | undefined {
  const beat = changeTime(join(directory, BEAT_FILE))
  return beat === undefined ? undefined : beat + BigInt(2 * EVERY_MS) * 1_000_000n
}

/** Time of the last change of any kind to a path; `undefined` where there is nothing. */
export function changeTime(path: string): bigint | undefined {
  return orNothing(() => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs, undefined)
}
