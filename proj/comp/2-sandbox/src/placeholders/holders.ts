import { createHash } from 'node:crypto'
import { readdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../../2-config/src/index.js'
import { LockFile } from '../../../2-files/src/index.js'
import { identityOfMark, isMarkGone, processMark } from '../../../2-processes/src/index.js'

const DIRECTORY = 'placeholders'
/** It is held for as long as it takes to look at some files. */
const POLL_MS = 2
const WAIT_MS = 10_000
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Does something while no other process of the user makes or removes placeholders.
 *
 * @throws HermesError `LOCKED`
 */
export function withHolders<T>(task: (holders: Holders | undefined) => T): T {
  const directory = join(hermesHome(), DIRECTORY)
  const lock = lockIn(directory)
  if (lock === undefined) return task(undefined)
  try {
    return task(new Holders(directory))
  } finally {
    lock.release()
  }
}

/**
 * Which processes of the user need a placeholder: to take away what another's command has mounted takes the mount away
 * as well, wherever it is. A file for each process, in a directory for each path.
 */
export class Holders {
  constructor(private readonly directory: string) {}

  /** Numbers of the other processes that hold it. */
  others(path: string): number[] {
    return orNothing(() => readdirSync(this.#of(path)), []).flatMap(mark => {
      if (mark === processMark()) return []
      const file = join(this.#of(path), mark)
      if (!isGone(mark, file)) return identityOfMark(mark)?.pid ?? []
      orNothing(() => unlinkSync(file), undefined)
      return []
    })
  }

  /** @throws Node's errors */
  add(path: string): void {
    makeOwnDirectory(this.#of(path))
    writeFileSync(join(this.#of(path), processMark()), '', { mode: 0o600 })
  }

  remove(path: string): void {
    orNothing(() => unlinkSync(join(this.#of(path), processMark())), undefined)
    // Another process's is in it.
    orNothing(() => rmdirSync(this.#of(path)), undefined)
  }

  #of(path: string): string {
    return join(this.directory, createHash('sha256').update(path).digest('hex').slice(0, 32))
  }
}

/** Of another container it cannot be told, but none outlives the machine's boot. */
function isGone(mark: string, file: string): boolean {
  if (identityOfMark(mark)?.host === hostname()) return isMarkGone(mark)
  return orNothing(() => statSync(file).mtimeMs < Date.now() - uptime() * 1000, true)
}

/** `undefined` where the user's directory cannot be written. */
function lockIn(directory: string): LockFile | undefined {
  const path = join(directory, 'lock')
  const begun = performance.now()
  for (;;) {
    const taken = orNothing(() => {
      makeOwnDirectory(directory)
      return LockFile.tryAt(path, 'placeholders')
    }, undefined)
    if (taken === undefined || taken instanceof LockFile) return taken
    if (performance.now() - begun > WAIT_MS) {
      throw new HermesError('LOCKED', `Process ${taken.pid} holds ${path}`, {
        hint: 'Wait until it is done, or end it.',
      })
    }
    Atomics.wait(pause, 0, 0, POLL_MS)
  }
}
