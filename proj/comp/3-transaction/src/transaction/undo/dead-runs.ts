import {
  hasEnded, isOurs, readHeads, readRun, type RunBegin, type RunHead, type RunRecord,
} from '../../journal/index.js'
import { unlessRefused } from '../../../../0-contracts/src/index.js'
import { isHeldBy } from '../../../../2-files/src/index.js'
import { isSeenFromHere, isThisProcess, mayLive } from '../../../../2-processes/src/index.js'

/**
 * Every run of this user without an end whose process is gone, the last first. Runs that this user did not sign block
 * nothing. If the caller does not hold the root's lock, a run that is just ending may be among them.
 */
export function findDeadRuns(root: string, heads: readonly RunHead[] = readHeads(root)): RunRecord[] {
  return heads.filter((head) => isOurs(head) && !hasEnded(root, head.runId))
    .flatMap(({ runId }) => readRun(root, runId) ?? [])
    .filter((run) => run.signature === 'signed' && !run.end && isDead(root, run.begin)).reverse()
}

/** @returns the last one */
export function findDeadRun(root: string, heads?: readonly RunHead[]): RunRecord | undefined {
  return findDeadRuns(root, heads)[0]
}

/** Ids of the runs without an end that are not this user's, the last first. */
export function foreignDeadRuns(root: string, heads: readonly RunHead[]): string[] {
  return heads.filter((head) => !isOurs(head) && head.begin && isOpen(root, head.runId) && isDead(root, head.begin))
    .map(({ runId }) => runId).reverse()
}

/** Whether a run has no end, in a journal with any content. */
function isOpen(root: string, runId: string): boolean {
  return unlessRefused(() => !hasEnded(root, runId), false)
}

/** A run of this very process has ended too if its lock is free: its end could not be written. */
function isDead(root: string, begin: RunBegin): boolean {
  if (begin.owner === undefined) return true
  return isThisProcess(begin.owner) ? !isHeldBy(root, begin.runId) : !mayBeAtWork(root, begin)
}

/** For a run on another machine or in another container, only its lock tells. */
export function mayBeAtWork(root: string, { owner, runId }: Pick<RunBegin, 'owner' | 'runId'>): boolean {
  if (owner === undefined) return false
  return isSeenFromHere(owner) ? mayLive(owner) : isHeldBy(root, runId)
}
