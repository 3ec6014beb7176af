import {
  addToLog, captureState, changesInDoubt, isSameState, mendLog, readHeads, readRun, resolveStored, type RunRecord,
} from '../../journal/index.js'
import { acquireRootLock } from '../../../../2-files/src/index.js'
import { removeOldPlaceholders } from '../../../../2-sandbox/src/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { lookAfterwards } from '../commands/command-watch.js'
import { removeGitFiles, removeTemporaries } from './left-behind.js'
import type { RecoverOptions, RecoverOutcome } from './recover-outcome.js'
import { laterPaths } from './later-work.js'
import { inProgress, withReason } from '../run-refusals.js'
import { Recovery } from './recovery.js'
import { findRepository, holdFiltersOf } from '../repository.js'
import { adoptJournal } from '../adopt-journal.js'
import { requireReadable, untrustedJournal } from '../journal-trust.js'
import { noteMadeBeforeDeath, toldOfMade } from '../made-before-death.js'
import { findDeadRuns, foreignDeadRuns } from './dead-runs.js'
import { createRunId } from '../run-id.js'
import { endGroups } from '../commands/process-groups.js'
import { endProcesses } from '../commands/run-processes.js'
import { undo } from './undo.js'

/**
 * Ends a run whose process died: cleans up what it left half-done, then either keeps its changes, commit included, or
 * restores the state before. Can be interrupted itself, and repeated.
 */
export async function recover(options: RecoverOptions): Promise<RecoverOutcome> {
  return withReason('The recovery', options.root, () => recoverLast(options))
}

async function recoverLast(options: RecoverOptions): Promise<RecoverOutcome> {
  const { root, waitMs, signal } = options
  holdFiltersOf(root, options.hooks)
  const lock = await acquireRootLock(root, 'recover', waitMs, signal)
  let committed: RecoverOutcome & { runId: string }
  let outcome: Pick<RecoverOutcome, 'ended' | 'others'>
  try {
    if (options.trustJournal) adoptJournal(root)
    const heads = readHeads(root)
    const [run, ...others] = findDeadRuns(root, heads)
    if (!run) {
      const foreign = new Set(foreignDeadRuns(root, heads))
      const untrusted = heads.filter(({ runId }) => foreign.has(runId))
      if (untrusted.length > 0) throw untrustedJournal('Nothing was recovered', untrusted)
      requireReadable(root, heads)
      return { restored: false, paths: [], left: [] }
    }
    const repository = options.git ? await findRepository(root) : undefined
    const restoresAnyway = options.restore || run.begin.atomic || run.operations.some(({ op }) => op === 'restoring')
    const operation = restoresAnyway ? repository?.operation() : undefined
    if (operation !== undefined) throw inProgress(operation)
    const ended = process.platform === 'linux' ? await endProcesses(run.begin.runId) : await endGroups(run.operations)
    mendLog(run.directory)
    const warnings = repository ? await removeGitFiles(repository, run) : []
    warnings.push(...toldOfMade(noteMadeBeforeDeath(root, run), ' before the run died'))
    outcome = {
      ...(ended.length > 0 && { ended }), ...(others.length > 0 && { others: others.map(({ begin }) => begin.runId) }),
    }
    removeTemporaries(root, run)
    if (run.operations.some(({ op }) => op === 'command')) removeOldPlaceholders(root, Date.parse(run.begin.startedAt))
    settleLast(root, run)
    const { runId } = run.begin
    warnings.push(
      ...await lookAfterwards(root, readRun(root, runId) ?? run, options.force === true && restoresAnyway === true),
    )
    const settled = readRun(root, runId) ?? run
    const commands = await CommandChanges.read(settled, runId)
    const recovery = new Recovery(settled, commands, await laterPaths(root, settled), warnings, options, repository)
    const commit = await recovery.ownCommit()
    if (restoresAnyway && commit === undefined) return { ...await recovery.restore(), ...outcome }
    committed = { ...await recovery.finish(commit), ...outcome }
    if (!options.restore) return committed
  } finally {
    lock.release()
  }
  // It died when only the bookkeeping was missing, so it is in the history and is undone there.
  const undone = await undo({ ...options, runId: createRunId(), target: committed.runId, force: false, durable: false })
  const { left, gitCommit } = undone
  const warnings = [...committed.warnings ?? [], ...undone.warnings]
  return {
    ...committed, restored: true, left, ...(gitCommit !== undefined && { gitCommit }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Settles the last changes, which may have been made or not, or half-made if in place. */
function settleLast(root: string, run: RunRecord): void {
  const changes = changesInDoubt(run)
  const [last] = changes
  if (last?.op === 'move') {
    if (captureState(resolveStored(root, last.from)).kind !== 'absent') addToLog(run.directory, { op: 'failed' })
    return
  }
  const sets = changes.flatMap((change) => (change.op === 'set' ? [change] : []))
  const found = sets.map(({ path, old, new: next }) => {
    const now = captureState(resolveStored(root, path))
    return isSameState(now, next) ? 'done' : isSameState(now, old) ? 'not done' : 'changed'
  })
  // Changes are made in order: after the first one not made, none was, whatever is on disk now.
  const afterDone = found.includes('done') ? found.slice(0, found.indexOf('done')) : found
  const firstUndone = afterDone.lastIndexOf('not done')
  for (const [at, { path }] of sets.entries()) {
    if (at <= firstUndone || found[at] === 'not done') addToLog(run.directory, { op: 'failed', path })
  }
}
