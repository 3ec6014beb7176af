import { dirname } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'
import { readChain, untrustedJournal } from './journal-trust.js'
import { listRunIds, readRun, type RunRecord } from '../journal/index.js'

/** A run that changed something, as later undos and redos left it. */
export interface KnownRun {
  runId: string
  /** Journals whose reversal, the last first, takes the run back or, where it was taken back, repeats it. */
  journals: string[]
  /** Journals of the undos (or redos) since that could not put back everything. */
  partial: string[]
}

export interface RunHistory {
  /** Runs that are in force, wholly or in part, oldest first. */
  applied: KnownRun[]
  /** Runs that were taken back and can be repeated, the next one last. */
  undone: KnownRun[]
  /** Ids of runs that were taken back and can no longer be repeated, since another run came after. */
  over: string[]
  /** What was done last, where it did not put back everything. */
  unfinished?: { kind: 'undo' | 'redo'; run: KnownRun }
}

/** What became of each run of this user, from the journals in the order of their numbers. @throws as `readChain` */
export function readHistory(root: string): RunHistory {
  const history: RunHistory = { applied: [], undone: [], over: [] }
  for (const { begin: { runId, kind, of }, end } of readChain(root)) {
    if (end?.outcome !== 'done') continue
    delete history.unfinished
    if (kind === 'run') addRun(history, runId)
    else if (of !== undefined) addReversal(history, { runId, kind, of, isPartial: end.partial === true })
  }
  return history
}

/** From now on nothing can be repeated; what was repeated in part stays in force. */
function addRun(history: RunHistory, runId: string): void {
  const partly = history.undone.filter(({ partial }) => partial.length > 0)
  history.applied.push(...partly.map((run) => ({ runId: run.runId, journals: run.partial, partial: [] })))
  history.over.push(...history.undone.filter((run) => !partly.includes(run)).map((run) => run.runId))
  history.applied.push({ runId, journals: [runId], partial: [] })
  history.undone = []
}

function addReversal(
  history: RunHistory,
  { runId, kind, of, isPartial }: { runId: string; kind: 'undo' | 'redo'; of: string; isPartial: boolean },
): void {
  const [from, to] = kind === 'undo' ? (['applied', 'undone'] as const) : (['undone', 'applied'] as const)
  // An undo that stopped half-way is taken back by a redo, and the other way round.
  const halfWay = history[to].find((run) => run.runId === of && run.partial.length > 0)
  const run = history[from].find((one) => one.runId === of)
  if (!run && halfWay) {
    if (!isPartial) halfWay.partial = []
    return
  }
  const known = run ?? { runId: of, journals: [], partial: [] }
  if (isPartial) {
    known.partial.push(runId)
    history.unfinished = { kind, run: known }
    return
  }
  history[from] = history[from].filter((one) => one !== known)
  history[to].push({ runId: of, journals: [...known.partial, runId], partial: [] })
}

/** What the undo or redo of a run reverses: the journals that did it, or the other command's part of it. */
export function journalsToReverse(
  { applied, undone }: RunHistory, kind: 'undo' | 'redo', runId: string,
): string[] | undefined {
  const [from, to] = kind === 'undo' ? [applied, undone] : [undone, applied]
  const halfWay = to.find((run) => run.runId === runId && run.partial.length > 0)
  return from.find((run) => run.runId === runId)?.journals ?? halfWay?.partial
}

/**
 * The only run whose id begins so; as given where there is none.
 *
 * @throws HermesError `INVALID_OPTION` where there are several
 */
export function findRunId(root: string, beginning: string): string {
  const ids = listRunIds(root).filter((id) => id.startsWith(beginning))
  const [only = beginning, ...others] = ids
  if (others.length === 0 || ids.includes(beginning)) return ids.includes(beginning) ? beginning : only
  throw new HermesError(
    'INVALID_OPTION',
    `Several runs begin with ${beginning}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`,
    { hint: 'Give more of the id. hermes log lists the runs.' },
  )
}

/**
 * The nearest directory above that has runs on record: a root that has none may be below the one that is meant. One
 * whose records cannot be read, e.g. another user's, is passed over.
 */
export function rootAbove(root: string): string | undefined {
  for (let at = dirname(root); at !== dirname(at); at = dirname(at)) if (hasRuns(at)) return at
  return undefined
}

function hasRuns(root: string): boolean {
  try {
    return listRunIds(root).length > 0
  } catch (error) {
    if (error instanceof HermesError) return false
    throw error
  }
}

/** @throws HermesError `ENOENT` when there is no such run, `UNTRUSTED_JOURNAL` where not all of it is this user's */
export function requireRun(root: string, runId: string): RunRecord {
  const run = readRun(root, runId)
  if (run?.signature === 'signed') return run
  if (run) throw untrustedJournal('Nothing was taken back', [{ runId, signature: run.signature }])
  throw new HermesError('ENOENT', `No such run: ${runId}`, { hint: 'hermes log lists the runs.' })
}
