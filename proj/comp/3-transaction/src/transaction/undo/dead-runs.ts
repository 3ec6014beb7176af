import { hasEnded, listRunIds, readRun, type RunBegin, type RunRecord } from '../../journal/index.js'
import { isHeldBy } from '../../../../2-files/src/index.js'
import { isSeenFromHere, isThisProcess, mayLive } from '../../../../2-processes/src/index.js'

/** Every run that has no end and whose process is gone, the last first. The caller holds the root's lock. */
export function findDeadRuns(root: string): RunRecord[] {
  const open = listRunIds(root).filter((runId) => !hasEnded(root, runId)).flatMap((runId) => readRun(root, runId) ?? [])
  return open.filter((run) => !run.end && isDead(root, run))
    .sort((one, other) => Date.parse(other.begin.startedAt) - Date.parse(one.begin.startedAt))
}

/** @returns the last of them */
export function findDeadRun(root: string): RunRecord | undefined {
  return findDeadRuns(root)[0]
}

/** A run of this process has ended too, as its lock is free: it could not be written to its journal. */
function isDead(root: string, { begin }: RunRecord): boolean {
  return begin.owner === undefined || isThisProcess(begin.owner) || !mayBeAtWork(root, begin)
}

/** Of another machine or container only its lock tells. */
export function mayBeAtWork(root: string, { owner, runId }: Pick<RunBegin, 'owner' | 'runId'>): boolean {
  if (owner === undefined) return false
  return isSeenFromHere(owner) ? mayLive(owner) : isHeldBy(root, runId)
}
