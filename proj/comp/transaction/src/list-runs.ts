import { listRunIds, readRun, statesOf, type RunRecord } from '../../journal/src/index.js'
import { HermesError } from '../../contracts/src/index.js'
import { readHistory } from './run-history.js'

/** One run as `hermes log` lists it. */
export interface ListedRun {
  runId: string
  kind: 'run' | 'undo' | 'redo'
  /** The run that was taken back or repeated. */
  of?: string
  /** `open`: it is at work, or was interrupted. `damaged`: its journal cannot be read. */
  state: 'applied' | 'undone' | 'restored' | 'open' | 'damaged'
  /** ISO 8601. */
  startedAt?: string
  endedAt?: string
  blocks: number
  failures: number
  summary: string
  /** Paths changed by verbs, as the journal stores them. */
  files: string[]
  /** Full SHA. */
  commit?: string
}

/** Every run that has a journal, newest first. */
export function listRuns(root: string): ListedRun[] {
  const runs = listRunIds(root).map((runId) => ({ runId, record: readIfWhole(root, runId) }))
  const isWhole = runs.every(({ record }) => record !== 'damaged')
  const undone = new Set(isWhole ? readHistory(root).undone.map(({ runId }) => runId) : [])
  return runs.flatMap(({ runId, record }) => {
    if (record === undefined) return []
    if (record === 'damaged') return [{ runId, kind: 'run' as const, state: 'damaged' as const, blocks: 0, failures: 0, summary: '', files: [] }]
    return [listed(record, undone)]
  })
}

function readIfWhole(root: string, runId: string): RunRecord | 'damaged' | undefined {
  try {
    return readRun(root, runId)
  } catch (error) {
    if (error instanceof HermesError) return 'damaged'
    throw error
  }
}

function listed(run: RunRecord, undone: ReadonlySet<string>): ListedRun {
  const { begin: { runId, kind, of, startedAt }, end } = run
  const state = !end ? 'open' : end.outcome === 'restored' ? 'restored' : undone.has(runId) ? 'undone' : 'applied'
  return {
    runId, kind, ...(of !== undefined && { of }), state, startedAt, ...(end && { endedAt: end.endedAt }),
    blocks: end?.blocks ?? 0, failures: end?.failures ?? 0, summary: end?.summary ?? '',
    files: statesOf(run).changed().map(({ path }) => path), ...(end?.commit !== undefined && { commit: end.commit }),
  }
}
