import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError, orNothing, unlessCode } from '../../../../0-contracts/src/index.js'
import { closing, undoing } from '../../../../2-files/src/index.js'
import type { Repository } from '../repository.js'

/** Milliseconds for another git to end its work. */
const WAIT_MS = 3000
const TURN_MS = 25

/**
 * Takes git's lock of the user's index, held while a run is committed as `git commit PATHS` holds it, so that nobody
 * stages or commits in between. Its content names the run, so that recovery can tell it from another's. Git determines
 * its form and place, so it is none of the locks of `2-files/locks`.
 *
 * @param remedy what else the user can do, in words
 * @returns releases it
 * @throws HermesError `LOCKED` when another git does not end, and with the system's code
 */
export async function lockIndex({ gitDirectory }: Repository, runId: string, remedy: string): Promise<() => void> {
  const path = join(gitDirectory, 'index.lock')
  const until = performance.now() + WAIT_MS
  while (!make(path, runId)) {
    if (performance.now() >= until) throw held(path, remedy)
    await sleep(TURN_MS)
  }
  return () => rmSync(path, { force: true })
}

/** Whether this run left a lock of the index. */
export function isLockOf(path: string, runId: string): boolean {
  return orNothing(() => readFileSync(path, 'latin1') === nameOf(runId), false)
}

function nameOf(runId: string): string {
  return `hermes ${runId}\n`
}

function make(path: string, runId: string): boolean {
  const fd = unlessCode(['EEXIST'], () => openSync(path, 'wx'), undefined)
  if (fd === undefined) return false
  // The disk may have no room for its content.
  undoing(() => closing(fd, () => writeFileSync(fd, nameOf(runId))), () => rmSync(path, { force: true }))
  return true
}

function held(path: string, remedy: string): HermesError {
  return new HermesError('LOCKED', `The changes are on disk but not committed: another git process holds ${path}`, {
    hint: `Commit them when it has ended, or ${remedy}. If no git runs, remove that file first.`,
  })
}
