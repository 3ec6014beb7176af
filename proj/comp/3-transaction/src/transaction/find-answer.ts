import { HermesError } from '../../../0-contracts/src/index.js'
import { keptAnswers, readAnswer, type AnswerRecord } from '../answers/index.js'
import { listRunIds, readOutline } from '../journal/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { mayBeAtWork } from './undo/dead-runs.js'
import { readHistory } from './run-history.js'

export interface FoundAnswer {
  runId: string
  record: AnswerRecord
}

/** The answer to continue. */
export interface ChosenAnswer extends FoundAnswer {
  /** Ids of later runs that left nothing to continue. */
  newer: readonly string[]
}

const WHOLE = 'Give the whole answer, without --continue.'

/**
 * Finds the answer to continue; where a later run has continued it already, the combined outcomes.
 *
 * @param root absolute, links resolved
 * @param given id of its run, a unique beginning of one, or `last`
 * @throws HermesError `INVALID_OPTION`, and `ENOENT`, `LOCKED`, `INTERRUPTED_RUN`, `NOTHING_TO_UNDO` or
 *   `CHANGED_ON_DISK` where there is nothing to continue
 */
export function findAnswer(root: string, given: string): ChosenAnswer {
  const kept = keptAnswers(root)
  const journals = listRunIds(root)
  const runId = given === 'last' ? lastOf(kept) : idOf(given, kept, journals)
  const record = readAnswer(root, runId)
  if (!record) throw notKept(root, runId)
  const latest = latestOf(root, { runId, record })
  for (const id of [...latest.record.continues, latest.runId]) requireInForce(root, id)
  return { ...latest, newer: journals.filter((id) => id > latest.runId) }
}

/** Ids of the runs that this one continued, newest first. */
export function continuedRuns(root: string, runId: string): string[] {
  return readAnswer(root, runId)?.continues.toReversed() ?? []
}

function lastOf(kept: readonly string[]): string {
  const last = kept.at(-1)
  if (last !== undefined) return last
  throw new HermesError('ENOENT', 'No run of this root has left blocks to mend', {
    hint: 'Only of runs in which a block failed the blocks are kept. --root says where the run was made.',
  })
}

function idOf(given: string, kept: readonly string[], journals: readonly string[]): string {
  const ids = [...new Set([...kept, ...journals])].filter((id) => id.startsWith(given))
  const [only, ...others] = ids
  if (given === '' || only === undefined) {
    throw new HermesError('ENOENT', `No such run of this root: ${given}`, {
      hint: 'hermes log lists the runs; --root says where the run was made.',
    })
  }
  if (others.length === 0) return only
  if (ids.includes(given)) return given
  throw usageError(`Several runs begin with ${given}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`,
    'Give more of the id.')
}

/** Follows later continuations, except those that were undone. */
function latestOf(root: string, answer: FoundAnswer): FoundAnswer {
  const { continuedBy: next } = answer.record
  const record = next !== undefined && next > answer.runId ? readAnswer(root, next) : undefined
  if (next === undefined || !record || whyOut(root, next, record) !== undefined) return answer
  return latestOf(root, { runId: next, record })
}

function requireInForce(root: string, runId: string): void {
  const record = readAnswer(root, runId)
  const why = record ? whyOut(root, runId, record) : 'what is kept of it is gone'
  if (why === undefined) return
  throw new HermesError('NOTHING_TO_UNDO', `Run ${runId} cannot be continued: ${why}`, { hint: WHOLE })
}

/** Why the changes of a run are not in place any more. */
function whyOut(root: string, runId: string, { hasJournal }: AnswerRecord): string | undefined {
  if (!hasJournal) return undefined
  const { applied, undone, over } = readHistory(root)
  const isIn = (runs: readonly { runId: string; partial: string[] }[], isPartial: boolean) =>
    runs.some((run) => run.runId === runId && run.partial.length > 0 === isPartial)
  if (isIn(applied, false)) return undefined
  if (isIn(applied, true) || isIn(undone, true)) return 'it was taken back in part'
  if (isIn(undone, false) || over.includes(runId)) return 'it was taken back'
  const journal = listRunIds(root).includes(runId) ? "its journal is not signed with this user's key"
    : 'its journal is gone'
  return `${journal}, so that it could not be taken back together with what is added`
}

function notKept(root: string, runId: string): HermesError {
  const run = readOutline(root, runId)
  if (run && !run.end) {
    return mayBeAtWork(root, run.begin)
      ? new HermesError('LOCKED', `Run ${runId} is still at work`, { hint: 'Try again when it is done.' })
      : new HermesError('INTERRUPTED_RUN', `Run ${runId} was interrupted`, { hint: `hermes recover; then: ${WHOLE}` })
  }
  const why = run?.begin.kind !== 'run' ? 'it took back or repeated another'
    : run.end?.outcome === 'restored' ? 'all that it did was put back'
      : run.end?.failures === 0 ? 'all of its blocks succeeded' : 'what came of its blocks is not kept'
  return new HermesError('ENOENT', `Run ${runId} cannot be continued: ${why}`, {
    hint: run?.end?.failures === 0 ? 'Apply the new answer without --continue.' : WHOLE,
  })
}
