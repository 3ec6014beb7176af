import { hasEnded, listRunIds, mayLive, readRun, type RunRecord } from '../../journal/src/index.js'

/** Every run that has no end and whose process is gone, the last first. The caller holds the root's lock. */
export function findDeadRuns(root: string): RunRecord[] {
  const open = listRunIds(root).filter((runId) => !hasEnded(root, runId)).flatMap((runId) => readRun(root, runId) ?? [])
  return open.filter((run) => !run.end && isDead(run))
    .sort((one, other) => Date.parse(other.begin.startedAt) - Date.parse(one.begin.startedAt))
}

/** @returns the last of them */
export function findDeadRun(root: string): RunRecord | undefined {
  return findDeadRuns(root)[0]
}

/** A run of this process has ended too, as its lock is free: it could not be written to its journal. */
function isDead({ begin: { owner } }: RunRecord): boolean {
  return owner === undefined || owner.pid === process.pid || !mayLive(owner)
}
