import { dirname } from 'node:path'
import { HermesError, unlessRefused } from '../../../0-contracts/src/index.js'
import { upwards } from '../../../2-files/src/index.js'
import { readChain, untrustedJournal } from './journal-trust.js'
import { listRunIds, readRun, type RunRecord } from '../journal/index.js'

/** A run with changes, with the effect of later undos and redos. */
export interface KnownRun {
  runId: string
  /** Journals to reverse, the last first, to undo the run or, if it was undone, to redo it. */
  journals: string[]
  /** Journals of later undos (or redos) that could not restore everything. */
  partial: string[]
}

export interface RunHistory {
  /** Runs in force, completely or partly; oldest first. */
  applied: KnownRun[]
  /** Undone runs that can be redone; the next one is last. */
  undone: KnownRun[]
  /** Ids of undone runs that can no longer be redone, since another run followed. */
  over: string[]
  /** The last undo or redo, if it did not restore everything. */
  unfinished?: { kind: 'undo' | 'redo'; run: KnownRun }
}

/**
 * The state of each run of this user, from the journals in order of their numbers.
 *
 * @throws as `readChain`
 */
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

/** Adds a run, after which nothing can be redone; partly redone runs stay in force. */
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
  // A redo reverses an undo that stopped half-way, and the other way round.
  const halfWay = history[to].find((run) => run.runId === of && run.partial.length > 0)
  const run = history[from].find((candidate) => candidate.runId === of)
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
  history[from] = history[from].filter((candidate) => candidate !== known)
  history[to].push({ runId: of, journals: [...known.partial, runId], partial: [] })
}

/**
 * Journals to reverse for the undo or redo of a run: those that made its changes, or the other command's partial work.
 */
export function journalsToReverse(
  { applied, undone }: RunHistory, kind: 'undo' | 'redo', runId: string,
): string[] | undefined {
  const [from, to] = kind === 'undo' ? [applied, undone] : [undone, applied]
  const halfWay = to.find((run) => run.runId === runId && run.partial.length > 0)
  return from.find((run) => run.runId === runId)?.journals ?? halfWay?.partial
}

/**
 * The only run whose id begins like this; `beginning` itself where there is none.
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
 * The nearest parent directory with recorded runs, since a root without any may lie below the intended one. Skips
 * directories whose records cannot be read, e.g. another user's.
 */
export function rootAbove(root: string): string | undefined {
  return upwards(dirname(root)).slice(0, -1).find((above) => unlessRefused(() => listRunIds(above).length > 0, false))
}

/**
 * @throws HermesError `ENOENT` when there is no such run, `UNTRUSTED_JOURNAL` where not all of it was signed by this
 *   user
 */
export function requireRun(root: string, runId: string): RunRecord {
  const run = readRun(root, runId)
  if (run?.signature === 'signed') return run
  if (run) throw untrustedJournal('Nothing was taken back', [{ runId, signature: run.signature }])
  throw new HermesError('ENOENT', `No such run: ${runId}`, { hint: 'hermes log lists the runs.' })
}
