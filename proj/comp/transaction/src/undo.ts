import { HermesError, isNodeError, type PathGate } from '../../contracts/src/index.js'
import {
  Baselines, captureState, isSameState, listRunIds, statesOf, type FileState, type RunRecord,
} from '../../journal/src/index.js'
import { CommandChanges } from './command-changes.js'
import { mergeBack } from './merge-back.js'
import { approveAgain } from './put-back.js'
import { readHistory, requireRun, type AppliedRun } from './run-history.js'
import type { RunSummary } from './run-summary.js'
import { RunTransaction, type TransactionOutcome } from './run-transaction.js'
import { takeBack } from './take-back.js'

export interface UndoOptions {
  /** Canonical. */
  root: string
  gate: PathGate
  /** Id of the new run that takes the old one back. */
  runId: string
  /** The run to take back; the last one that is in force when absent. */
  target?: string
  /** Where something else was changed since, merge instead of stopping. */
  force: boolean
  git: boolean
  durable: boolean
  waitMs: number
  signal: AbortSignal
}

export interface UndoOutcome extends TransactionOutcome {
  /** The run that was taken back or repeated. */
  target: string
  /** Paths that are as before again. */
  restored: string[]
  /** Paths in which both changes were merged; `marked` ones hold conflict markers. */
  merged: { path: string; marked: boolean }[]
  /** Paths that could not be put back, with the reason. */
  left: { path: string; reason: string }[]
}

/**
 * Takes back a run: every path is again as it was before it. The undo is a run of its own, with a commit of its own.
 *
 * @throws HermesError `NOTHING_TO_UNDO`; `CHANGED_ON_DISK` with the paths that differ, unless `force`; `LOCKED`;
 *   `INTERRUPTED_RUN` when an earlier run died
 */
export async function undo(options: UndoOptions): Promise<UndoOutcome> {
  const { root, target } = options
  const choose = (): AppliedRun | undefined => {
    const { applied } = readHistory(root)
    return target === undefined ? applied.at(-1) : applied.find(({ runId }) => runId === target)
  }
  return begin('undo', options, choose, nothingToUndo(options))
}

/** Repeats the run that was taken back last. @throws as `undo` */
export async function redo(options: Omit<UndoOptions, 'target'>): Promise<UndoOutcome> {
  const nothing = new HermesError('NOTHING_TO_UNDO', 'There is nothing to redo', {
    hint: 'Only a run that was taken back can be repeated, and only until the next run.',
  })
  return begin('redo', options, () => readHistory(options.root).undone.at(-1), nothing)
}

type Kind = 'undo' | 'redo'

const NOTHING_DONE: RunSummary = { blocks: 0, failures: 0, subject: '', lines: [] }

/** Chooses again when the root is its own: another run may have ended while it waited. */
async function begin(
  kind: Kind, options: UndoOptions, choose: () => AppliedRun | undefined, nothing: HermesError,
): Promise<UndoOutcome> {
  if (listRunIds(options.root).length === 0) throw nothing
  for (;;) {
    const wanted = choose()
    const transaction = new RunTransaction({
      ...options, kind, ...(wanted && { of: wanted.runId }), baselines: new Baselines(),
    })
    await transaction.beforeBlock('write')
    const isStill = wanted !== undefined && choose()?.journal === wanted.journal
    if (isStill) return reverse(kind, wanted, transaction, options)
    transaction.abandon(NOTHING_DONE)
    if (!wanted) throw nothing
  }
}

async function reverse(
  kind: Kind, wanted: AppliedRun, transaction: RunTransaction, options: UndoOptions,
): Promise<UndoOutcome> {
  const { root, gate, force } = options
  const target = wanted.runId
  let summary = NOTHING_DONE
  const outcome: UndoOutcome = { target, restored: [], merged: [], left: [], warnings: [] }
  try {
    const run = requireRun(root, wanted.journal)
    summary = summaryOf(kind, run)
    const commands = await CommandChanges.read(run, options.runId)
    const differing = [...differingPaths(options, run, commands), ...await commands.differing(root)]
    if (differing.length > 0 && !force) throw changedSince(kind, target, differing)
    const places = { root, gate, restorer: transaction.files, except: new Set(differing) }
    for (const path of differing) outcome.merged.push(...await mergeBack(run, path, places, outcome.left))
    outcome.left.push(...await takeBack(run, commands, places))
    if (commands.unknown) outcome.warnings.push('The run also ran commands: what they changed is not known, and stays')
    const merged = new Set(outcome.merged.map(({ path }) => path))
    outcome.restored = transaction.files.states.changed().map(({ path }) => path).filter((path) => !merged.has(path))
  } catch (error) {
    transaction.abandon(summary)
    throw error
  }
  const finished = await transaction.finish(summary)
  outcome.warnings.push(...finished.warnings)
  if (finished.gitCommit !== undefined) outcome.gitCommit = finished.gitCommit
  if (finished.fatalError !== undefined) outcome.fatalError = finished.fatalError
  return outcome
}

/** Paths that verbs changed and that are no longer as the run left them. */
function differingPaths({ root, gate }: UndoOptions, run: RunRecord, commands: CommandChanges): string[] {
  const isAsLeft = (stored: string, after: FileState): boolean => {
    try {
      const now = captureState(approveAgain(root, gate, stored))
      // A directory that came or went holds nothing of its own that could be lost.
      return isSameState(now, after) || (isPlace(now) && isPlace(after))
    } catch (error) {
      if (error instanceof HermesError || isNodeError(error)) return false
      throw error
    }
  }
  const byCommands = commands.paths(root)
  return statesOf(run).changed()
    .filter(({ path, before, after }) => !byCommands.has(path) && !isSameState(before, after))
    .filter(({ path, after }) => !isAsLeft(path, after))
    .map(({ path }) => path)
}

function isPlace({ kind }: FileState): boolean {
  return kind === 'directory' || kind === 'absent'
}

function summaryOf(kind: Kind, { begin: { runId, of }, end }: RunRecord): RunSummary {
  // What is repeated is the undo of an undo: its subject is that of the run they are about.
  const subject = (end?.summary ?? runId).replace(/^(?:(?:undo|redo) )+/, '')
  return {
    blocks: 0, failures: 0, subject: `${kind} ${subject}`.slice(0, 68),
    lines: [`${kind === 'undo' ? 'Takes back' : 'Repeats'} run ${of ?? runId}.`],
  }
}

function changedSince(kind: string, target: string, paths: readonly string[]): HermesError {
  const shown = paths.slice(0, 10).join(', ')
  return new HermesError('CHANGED_ON_DISK', `Changed since run ${target}: ${shown}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}`, {
    hint: `Nothing was changed. hermes ${kind} --force keeps these changes and merges them with what is taken back.`,
    data: { paths },
  })
}

function nothingToUndo({ target }: UndoOptions): HermesError {
  return target === undefined
    ? new HermesError('NOTHING_TO_UNDO', 'There is no run to undo', { hint: 'hermes log lists the runs.' })
    : new HermesError('NOTHING_TO_UNDO', `Run ${target} is not in force, or its journal is gone`, { hint: 'hermes log lists the runs.' })
}
