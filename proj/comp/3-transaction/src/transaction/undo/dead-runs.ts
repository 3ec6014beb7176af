import {
  hasEnded, isOurs, readHeads, readRun, type RunBegin, type RunHead, type RunRecord,
} from '../../journal/index.js'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { isHeldBy } from '../../../../2-files/src/index.js'
import { isSeenFromHere, isThisProcess, mayLive } from '../../../../2-processes/src/index.js'

/**
 * Every run of this user that has no end and whose process is gone, the last first. What is in the journal and is not
 * signed by this user blocks nothing. Where the caller does not hold the root's lock, one that is just ending may be
 * among them.
 */
export function findDeadRuns(root: string, heads: readonly RunHead[] = readHeads(root)): RunRecord[] {
  return heads.filter((head) => isOurs(head) && !hasEnded(root, head.runId))
    .flatMap(({ runId }) => readRun(root, runId) ?? [])
    .filter((run) => run.signature === 'signed' && !run.end && isDead(root, run.begin)).reverse()
}

/** @returns the last of them */
export function findDeadRun(root: string, heads?: readonly RunHead[]): RunRecord | undefined {
  return findDeadRuns(root, heads)[0]
}

/** Ids of the runs without an end that would be dead if they were this user's, the last first. */
export function foreignDeadRuns(root: string, heads: readonly RunHead[]): string[] {
  return heads.filter((head) => !isOurs(head) && head.begin && isOpen(root, head.runId) && isDead(root, head.begin))
    .map(({ runId }) => runId).reverse()
}

/** Of a journal in which anything may stand. */
function isOpen(root: string, runId: string): boolean {
  try {
    return !hasEnded(root, runId)
  } catch (error) {
    if (error instanceof HermesError) return false
    throw error
  }
}

/** A run of this process has ended too where its lock is free: it could not be written to its journal. */
function isDead(root: string, begin: RunBegin): boolean {
  if (begin.owner === undefined) return true
  return isThisProcess(begin.owner) ? !isHeldBy(root, begin.runId) : !mayBeAtWork(root, begin)
}

/** Of another machine or container only its lock tells. */
export function mayBeAtWork(root: string, { owner, runId }: Pick<RunBegin, 'owner' | 'runId'>): boolean {
  if (owner === undefined) return false
  return isSeenFromHere(owner) ? mayLive(owner) : isHeldBy(root, runId)
}
