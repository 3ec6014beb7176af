import { join } from 'node:path'
import { HermesError, orNothing, settingName } from '../../../0-contracts/src/index.js'
import { stateDirectory } from '../store/index.js'
import { isSeenFromHere, isThisProcess } from '../../../2-processes/src/index.js'
import { inWords, LockFile } from './lock-file.js'
import { lockHolder, readLock, type LockHolder } from './read-lock.js'

/**
 * Most milliseconds that a run waits for another of the same process; a run waiting for its own caller would wait for
 * ever.
 */
const OWN_WAIT_MS = 60_000

/**
 * Takes the lock of a root for its only writer: the file `.hermes/lock` names the run and its process.
 *
 * @param waitMs how long to wait while another run holds it, in milliseconds
 * @param onWait called once, with a description of the holder
 * @throws HermesError `LOCKED` with the holder, `POLICY_DENIED` where something else is in its place; Node's errors
 */
export function acquireRootLock(
  root: string, runId: string, waitMs: number, signal: AbortSignal, onWait?: (who: string) => void,
): Promise<LockFile> {
  return LockFile.acquire(() => join(stateDirectory(root), 'lock'), runId, {
    waitMs, ownWaitMs: OWN_WAIT_MS, signal, locked, ...(onWait && { onWait }),
  })
}

/** Whether a run holds the lock of its root, that is, has begun and not ended. */
export function isHeldBy(root: string, runId: string): boolean {
  // Where the lock cannot be read, taking it reports why.
  const lock = orNothing(() => readLock(lockOf(root)), undefined)
  return lock?.kind === 'held' && lock.holder.runId === runId
}

/**
 * Describes the live holder of a root's lock; `undefined` where it is free, or held by this process.
 *
 * @throws HermesError `POLICY_DENIED` where something else is in its place; Node's errors
 */
export function runAtWork(root: string): string | undefined {
  const holder = lockHolder(lockOf(root))
  return holder === undefined || isThisProcess(holder) ? undefined : inWords(holder)
}

function lockOf(root: string): string {
  return join(root, '.hermes', 'lock')
}

function wait(): string {
  return `Wait until it is done, or give ${settingName('waitMs')}.`
}

function locked(who: string, path: string, holder: LockHolder | undefined): HermesError {
  return new HermesError('LOCKED', `Another run works in this root: ${who}`, {
    hint: holder !== undefined && isSeenFromHere(holder)
      ? `${wait()} A run that died is noticed and its lock taken over.`
      : `${wait()} It is of another machine, container or user, `
        + 'so whether it lives cannot be told here: '
        + `when you know that it is gone, remove ${path}, then hermes recover.`,
  })
}
