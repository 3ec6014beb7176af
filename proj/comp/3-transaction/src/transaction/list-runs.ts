import { caughtLater, HermesError, type Rewrite, unlessRefused } from '../../../0-contracts/src/index.js'
import { readHeads, readOutline, readRun, statesOf, type RunRecord } from '../journal/index.js'
import { CommandChanges } from './commands/command-changes.js'
import { continuedRuns } from './find-answer.js'
import { mayBeAtWork } from './undo/dead-runs.js'
import { readChain } from './journal-trust.js'
import { readHistory } from './run-history.js'

/** One run as `hermes log` lists it. */
export interface ListedRun {
  runId: string
  kind: 'run' | 'undo' | 'redo'
  /** For an undo or redo: the other run. */
  of?: string
  /** The run that it continued (`--continue`). */
  continues?: string
  /**
   * `partly undone`: in force, except for what an undo (or redo) could restore. `partial`: that undo or redo.
   * `restored`: atomic and failed, or recovered. `running`: still at work. `open`: interrupted. `damaged`: its journal
   * cannot be read.
   */
  state: 'applied' | 'undone' | 'partly undone' | 'partial' | 'restored' | 'running' | 'open' | 'damaged'
  /** ISO 8601. */
  startedAt?: string
  endedAt?: string
  blocks: number
  failures: number
  summary: string
  /** How extensions changed its answer before it ran, in order; absent where none did. */
  rewrites?: readonly Rewrite[]
  /** Changed paths, as the journal stores them. */
  files: string[]
  /** Commands ran without snapshots, so `files` is incomplete. */
  unknownFiles?: true
  /** Full SHA. */
  commit?: string
  /** Absent where the run is signed with this user's key; only then undo chooses it by default. */
  signature?: 'unsigned' | 'forged'
}

/**
 * The runs with a journal, newest first.
 *
 * @param most number of runs
 */
export async function listRuns(root: string, most = Number.POSITIVE_INFINITY): Promise<ListedRun[]> {
  const heads = readHeads(root)
  const runs = heads.toReversed().flatMap(({ runId }) => {
    const outline = unlessRefused(() => readOutline(root, runId), 'damaged')
    return outline === undefined ? [] : [{ runId, outline }]
  })
  const chain = unlessRefused(() => readChain(root, heads), 'damaged')
  const states = chain === 'damaged' ? new Map<string, ListedRun['state']>() : statesInHistory(root)
  const linked = chain === 'damaged' ? undefined : new Set(chain.map(({ begin }) => begin.runId))
  // Damaged runs first, since they need attention.
  const isDamaged = ({ outline }: (typeof runs)[number]): boolean => outline === 'damaged'
  const newest = [...runs.filter(isDamaged), ...runs.filter((run) => !isDamaged(run))].slice(0, most)
  const listed: ListedRun[] = []
  for (const { runId } of newest) {
    const record = unlessRefused(() => readRun(root, runId), 'damaged') ?? 'damaged'
    listed.push(record === 'damaged'
      ? { runId, kind: 'run', state: 'damaged', blocks: 0, failures: 0, summary: '', files: [] }
      : { ...await describe(root, record, states), ...signatureOf(record, linked) })
  }
  return listed
}

/** @param linked runs of the chain; a signed run that is not among them refers to another previous run */
function signatureOf(
  { begin: { runId }, signature }: RunRecord, linked: ReadonlySet<string> | undefined,
): Pick<ListedRun, 'signature'> {
  if (signature !== 'signed') return { signature }
  return linked === undefined || linked.has(runId) ? {} : { signature: 'forged' }
}

function statesInHistory(root: string): Map<string, ListedRun['state']> {
  const { applied, undone, over } = readHistory(root)
  return new Map([
    ...over.map((runId) => [runId, 'undone'] as const),
    ...undone.map(({ runId, partial }) => [runId, partial.length > 0 ? 'partly undone' : 'undone'] as const),
    ...applied.map(({ runId, partial }) => [runId, partial.length > 0 ? 'partly undone' : 'applied'] as const),
  ])
}

async function describe(
  root: string, run: RunRecord, states: ReadonlyMap<string, ListedRun['state']>,
): Promise<ListedRun> {
  const { begin: { runId, kind, of, startedAt }, end, rewrites } = run
  const { paths, unknown } = await byCommands(root, run)
  const [continues] = unlessRefused(() => continuedRuns(root, runId), [])
  return {
    runId, kind, ...(of !== undefined && { of }), ...(continues !== undefined && { continues }),
    state: stateOf(root, run, states), startedAt, ...(end && { endedAt: end.endedAt }),
    blocks: end?.blocks ?? 0, failures: end?.failures ?? 0, summary: end?.summary ?? '',
    ...(rewrites && { rewrites }),
    files: [...new Set([...statesOf(run).changed().map(({ path }) => path), ...paths])],
    ...(unknown && { unknownFiles: true as const }), ...(end?.commit !== undefined && { commit: end.commit }),
  }
}

function stateOf(
  root: string, { begin, end }: RunRecord, states: ReadonlyMap<string, ListedRun['state']>,
): ListedRun['state'] {
  if (!end) return mayBeAtWork(root, begin) ? 'running' : 'open'
  if (end.outcome === 'restored') return 'restored'
  return end.partial === true ? 'partial' : states.get(begin.runId) ?? 'applied'
}

/** Asks git only about runs with commands; a repository that is gone knows nothing. */
async function byCommands(root: string, run: RunRecord): Promise<{ paths: Iterable<string>; unknown: boolean }> {
  return caughtLater(HermesError, async () => {
    const changes = await CommandChanges.read(run, run.begin.runId)
    return { paths: changes.paths(root), unknown: changes.unknown }
  }, () => ({ paths: [], unknown: true }))
}
