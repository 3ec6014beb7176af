import { join } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { stateDirectory } from '../store/index.js'
import { isSeenFromHere, isThisProcess } from '../../../2-processes/src/index.js'
import { inWords, LockFile } from './lock-file.js'
import { lockHolder, readLock, type LockHolder } from './read-lock.js'

/** Runs of one process take turns; a run that waits for one it was called from would wait for ever. */
const OWN_WAIT_MS = 60_000

/**
 * One writer at a time for a root: the file `.hermes/lock` names the run that writes, and its process.
 *
 * @param waitMs how long to wait while another run holds it
 * @param onWait told once, in words, who holds it
 * @throws HermesError `LOCKED` with who holds it, `POLICY_DENIED` where something else is in its place; Node's errors
 */
export function acquireRootLock(
  root: string, runId: string, waitMs: number, signal: AbortSignal, onWait?: (who: string) => void,
): Promise<LockFile> {
  return LockFile.acquire(() => join(stateDirectory(root), 'lock'), runId, {
    waitMs, ownWaitMs: OWN_WAIT_MS, signal, locked, ...(onWait && { onWait }),
  })
}

/** Whether a run holds its root, that is, has begun and not ended. */
export function isHeldBy(root: string, runId: string): boolean {
  // Where it cannot be read, taking it will tell why.
  const found = orNothing(() => readLock(lockOf(root)), undefined)
  return found?.kind === 'held' && found.holder.runId === runId
}

/**
 * Who has the lock of a root and lives, in words; `undefined` where it is free, or this process has it.
 * @throws HermesError `POLICY_DENIED` where something else is in its place; Node's errors
 */
export function runAtWork(root: string): string | undefined {
  const holder = lockHolder(lockOf(root))
  return holder === undefined || isThisProcess(holder) ? undefined : inWords(holder)
}

function lockOf(root: string): string {
  return join(root, '.hermes', 'lock')
}

function locked(who: string, path: string, holder: LockHolder | undefined): HermesError {
  return new HermesError('LOCKED', `Another run works in this root: ${who}`, {
    hint: holder !== undefined && isSeenFromHere(holder)
      ? 'Wait until it is done, or give --wait SECONDS. A run that died is noticed and its lock taken over.'
      : 'Wait until it is done, or give --wait SECONDS. It is of another machine, container or user, '
        + 'so whether it lives cannot be told here: '
        + `when you know that it is gone, remove ${path}, then hermes recover.`,
  })
}
