import { lstatSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'

const BEAT_FILE = 'alive'
const EVERY_MS = 50

/**
 * Records, from the first command of a run on, how long it lived: files changed after its last beat may not be its
 * work. The times are those of the file system, like the file times they are compared with.
 */
export class Heartbeat {
  readonly #file: string
  readonly #timer: NodeJS.Timeout

  /** @param directory of the run's journal */
  constructor(directory: string) {
    this.#file = join(directory, BEAT_FILE)
    writeFileSync(this.#file, '', { mode: 0o600 })
    this.#timer = setInterval(() => this.#beat(), EVERY_MS).unref()
  }

  /** Ends with the run. */
  stop(): void {
    clearInterval(this.#timer)
    rmSync(this.#file, { force: true })
  }

  /** If a beat fails, more files count as the work of others, which is safe. */
  #beat(): void {
    const now = new Date()
    orNothing(() => utimesSync(this.#file, now, now), undefined)
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
