import { HermesError } from '../../contracts/src/index.js'
import { listRunIds, readRun, type RunRecord } from '../../journal/src/index.js'

/** The newest run, if it has no end: then its process is gone, as long as the caller holds the root's lock. */
export function findDeadRun(root: string): RunRecord | undefined {
  const [newest] = listRunIds(root)
  const run = newest === undefined ? undefined : readRun(root, newest)
  return run && !run.end ? run : undefined
}

/** A run that is in force, and the run whose journal takes it back: itself, or the one that repeated it. */
export interface AppliedRun {
  runId: string
  journal: string
}

/** Which runs are in force and which were taken back, oldest first. */
export function readHistory(root: string): { applied: AppliedRun[]; undone: AppliedRun[] } {
  let applied: AppliedRun[] = []
  let undone: AppliedRun[] = []
  for (const id of listRunIds(root).reverse()) {
    const { begin, end } = readRun(root, id) ?? {}
    if (!begin || end?.outcome !== 'done') continue
    const target = begin.of
    if (begin.kind === 'run') {
      applied.push({ runId: id, journal: id })
      undone = []
    } else if (begin.kind === 'undo') {
      applied = applied.filter(({ runId }) => runId !== target)
      if (target !== undefined) undone.push({ runId: target, journal: id })
    } else {
      undone = undone.filter(({ runId }) => runId !== target)
      if (target !== undefined) applied.push({ runId: target, journal: id })
    }
  }
  return { applied, undone }
}

/** @throws HermesError `ENOENT` when there is no such run */
export function requireRun(root: string, runId: string): RunRecord {
  const run = readRun(root, runId)
  if (run) return run
  throw new HermesError('ENOENT', `No such run: ${runId}`, { hint: 'hermes log lists the runs.' })
}
