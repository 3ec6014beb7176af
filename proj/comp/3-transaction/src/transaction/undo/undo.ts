import { HermesError, settingName, type PathGate } from '../../../../0-contracts/src/index.js'
import { Baselines, listRunIds, readHeads, readOutline, readRun } from '../../journal/index.js'
import type { HookConsent } from '../../../../2-sandbox/src/index.js'
import { listed, shellWord } from '../../../../0-text/src/index.js'
import { continuedRuns } from '../find-answer.js'
import { createRunId } from '../run-id.js'
import { examineRuns, type ExaminedRun } from './examine-run.js'
import { isElsewhere } from './is-elsewhere.js'
import { adoptJournal } from '../adopt-journal.js'
import { underLock } from '../begin-run.js'
import { readChain, requireReadable, untrustedJournal } from '../journal-trust.js'
import { requireNotWithin, withReason } from '../run-refusals.js'
import type { Reversal } from './reversal.js'
import { othersThan, reverseRun } from './reverse-run.js'
import { findRunId, readHistory, rootAbove, type KnownRun } from '../run-history.js'
import type { RunSummary } from '../run-summary.js'
import { RunTransaction } from '../run-transaction.js'
import type { TransactionOutcome } from '../transaction-options.js'
import { noteMadeAgain, toldOfMade } from '../made-before-death.js'
import { unsavedBefore } from '../commit/unsaved-before.js'

export interface UndoOptions {
  /** Absolute, links resolved. */
  root: string
  gate: PathGate
  /** Id of the new run that does the undo. */
  runId: string
  /** The run to undo, or a unique beginning of its id. Default: the last one in force. */
  target?: string
  /** Where something was changed since, merge instead of stopping. */
  force: boolean
  /**
   * Without `force`, where something was changed since: undo the rest, and `leave` it for another undo, or `keep` it
   * for good. Default: undo nothing.
   */
  changed?: 'leave' | 'keep' | undefined
  /** Only these paths, as the journal stores them; the run stays in force with the others. */
  only?: ReadonlySet<string> | undefined
  /** Adopt the whole journal by signing it with this user's key. Default: only what is signed with this key counts. */
  trustJournal?: boolean
  git: boolean
  durable: boolean
  waitMs: number
  /** Where the hooks of its commit run. Absent: git runs them as usual. */
  hooks?: HookConsent | undefined
  signal: AbortSignal
}

/** Paths are as the journal stores them: relative to the root if below it. */
export interface UndoOutcome extends TransactionOutcome, Omit<Reversal, 'notes'> {
  /**
   * True if nothing is `left`, the commit succeeded, and the changes of the run's commands are known. While something
   * is `left`, the run stays in force, and another undo continues.
   */
  success: boolean
  /** The run that was undone or redone. */
  target: string
  /** Paths that are as before again. */
  restored: string[]
  /** Runs that the target continued (`--continue`), and that were undone or redone together with it. */
  together?: string[]
}

/**
 * Undoes a run: restores every path to its state before. The undo is a run of its own, with a commit of its own where
 * the run could have one. Without `target`, the other runs of its unit, and those that it continued, are undone after
 * it.
 *
 * @throws HermesError `NOTHING_TO_UNDO`; `CHANGED_ON_DISK` with the paths that differ, unless `force`; `POLICY_DENIED`
 *   for paths outside the root that are no longer allowed; `LOCKED`, also when called within a run; `INTERRUPTED_RUN`
 *   when an earlier run died; `UNTRUSTED_JOURNAL` where the run is in the journal, but not signed with this user's key,
 *   unless `trustJournal`
 */
export async function undo(options: UndoOptions): Promise<UndoOutcome> {
  const { root } = options
  const target = options.target === undefined ? undefined : findRunId(root, options.target)
  const choose = (): Chosen | undefined => {
    const { applied, undone, unfinished } = readHistory(root)
    if (target === undefined) {
      if (unfinished) return unfinished.kind === 'undo' ? unfinished.run : halfWay(unfinished.run)
      return applied.at(-1)
    }
    return applied.find(({ runId }) => runId === target) ?? halfWay(undone.find(({ runId }) => runId === target))
  }
  const outcome = await withReason('The undo', root, () => begin('undo', options, choose, nothingToUndo(options)))
  if (target !== undefined) return outcome
  const inForce = (): Set<string> => new Set(readHistory(root).applied.map(({ runId }) => runId))
  const others = [...unitOf(root, outcome.target), ...continuedRuns(root, outcome.target)]
  return together(outcome, [...new Set(others)].filter((id) => inForce().has(id)),
    (id) => undo({ ...options, runId: createRunId(), target: id }))
}

/**
 * Redoes the run that was undone last.
 *
 * @throws as `undo`
 */
export async function redo(options: Omit<UndoOptions, 'target'>): Promise<UndoOutcome> {
  const nothing = new HermesError('NOTHING_TO_UNDO', 'There is nothing to redo', {
    hint: 'Only a run that was taken back can be repeated, and only until the next run. hermes log lists the runs.',
  })
  const choose = (): Chosen | undefined => {
    const { undone, unfinished } = readHistory(options.root)
    if (unfinished) return unfinished.kind === 'redo' ? unfinished.run : halfWay(unfinished.run)
    return undone.at(-1)
  }
  const outcome = await withReason('The redo', options.root, () => begin('redo', options, choose, nothing))
  const next = readHistory(options.root).undone.at(-1)?.runId
  const goesOn = next !== undefined && (continuedRuns(options.root, next).includes(outcome.target)
    || unitOf(options.root, outcome.target).includes(next))
  return together(outcome, goesOn ? [next] : [], () => redo({ ...options, runId: createRunId() }))
}

/** Undoes or redoes further runs, each as a run of its own, as long as all succeed. */
async function together(
  first: UndoOutcome, runs: readonly string[], reverseNext: (runId: string) => Promise<UndoOutcome>,
): Promise<UndoOutcome> {
  let outcome = first
  for (const runId of outcome.success ? runs : []) {
    try {
      outcome = joined(outcome, await reverseNext(runId))
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      const warning = [`Run ${runId}, which belongs to it, is as it was: ${error.message}`, error.hint ?? []].flat()
      return { ...outcome, success: false, warnings: [...outcome.warnings, warning.join('. ')] }
    }
    if (!outcome.success) break
  }
  return outcome
}

function joined(done: UndoOutcome, next: UndoOutcome): UndoOutcome {
  return {
    ...next, target: done.target, together: [...done.together ?? [], next.target, ...next.together ?? []],
    restored: [...new Set([...done.restored, ...next.restored])],
    merged: [...done.merged, ...next.merged], kept: [...done.kept, ...next.kept], left: [...done.left, ...next.left],
    warnings: [...new Set([...done.warnings, ...next.warnings])],
  }
}

/** The other runs of the same unit, e.g. a message; newest first. */
function unitOf(root: string, runId: string): string[] {
  const heads = readHeads(root)
  const unit = heads.find((head) => head.runId === runId)?.begin?.unit
  return unit === undefined ? []
    : heads.map((head) => head.begin).flatMap((run) => (run?.unit === unit && run.runId !== runId ? [run.runId] : []))
      .reverse()
}

type Kind = 'undo' | 'redo'
/** `journals`: those to reverse. */
type Chosen = Pick<KnownRun, 'runId' | 'journals'>

/** The unfinished part of the opposite command, to reverse. */
function halfWay(run: KnownRun | undefined): Chosen | undefined {
  return run && run.partial.length > 0 ? { runId: run.runId, journals: run.partial } : undefined
}

const NOTHING_DONE: RunSummary = { blocks: 0, failures: 0, subject: '', lines: [] }

/** Begins the run, and chooses again once the root is locked: another run may have ended meanwhile. */
async function begin(
  kind: Kind, options: UndoOptions, choose: () => Chosen | undefined, nothing: HermesError,
): Promise<UndoOutcome> {
  requireNotWithin(options.root, options.runId, kind)
  if (listRunIds(options.root).length === 0) throw withRootAbove(nothing, options.root)
  if (options.trustJournal) await underLock(options, () => adoptJournal(options.root))
  for (;;) {
    const wanted = choose()
    const transaction = new RunTransaction({
      ...options, kind, ...(wanted && ofRun(options, wanted.runId)), baselines: new Baselines(),
    })
    await transaction.beforeBlock('write')
    const isStill = wanted !== undefined && choose()?.journals.join('\n') === wanted.journals.join('\n')
    if (isStill) return reverse(kind, wanted, transaction, options)
    transaction.abandon(NOTHING_DONE)
    if (!wanted) throw untrustedInstead(kind, options) ?? nothing
  }
}

/**
 * Options that follow from the other run: hooks that it planted are not run, and if it made no commit, its reversal
 * makes none.
 */
function ofRun({ root, git }: UndoOptions, runId: string): { of: string; git: boolean; programs?: string } {
  const outline = readOutline(root, runId)
  const programs = outline?.end?.programs
  return {
    of: runId, git: git && outline?.begin.commits !== false, ...(programs !== undefined && { programs }),
  }
}

/**
 * The error where the requested run is in the journal but not this user's.
 *
 * @throws as `readRun`, where it is damaged
 */
function untrustedInstead(kind: Kind, { root, target }: UndoOptions): HermesError | undefined {
  const id = target === undefined ? undefined : findRunId(root, target)
  const chain = new Set(readChain(root).map((run) => run.begin.runId))
  const heads = readHeads(root)
  requireReadable(root, heads)
  const others = heads.filter((head) => head.begin && !chain.has(head.runId) && (id ?? head.runId) === head.runId)
  for (const { runId } of others) readRun(root, runId)
  // A run with a valid first line that is not in the chain was changed.
  const found = others.map(({ runId, signature }) => (
    { runId, signature: signature === 'unsigned' ? signature : 'forged' as const }
  ))
  return found.length === 0 ? undefined
    : untrustedJournal(`Nothing was ${kind === 'undo' ? 'undone' : 'repeated'}`, found)
}

async function reverse(
  kind: Kind, wanted: Chosen, transaction: RunTransaction, options: UndoOptions,
): Promise<UndoOutcome> {
  let examined: ExaminedRun[]
  try {
    examined = await examineRuns(wanted.journals, options)
    const differing = examined.flatMap((run) => run.differing).filter((path) => options.only?.has(path) ?? true)
    const isRefused = !options.force && options.changed === undefined
    if (differing.length > 0 && isRefused) throw changedSince(kind, wanted.runId, differing)
  } catch (error) {
    transaction.abandon(NOTHING_DONE)
    throw error
  }
  const summary = summaryOf(kind, wanted.runId, examined)
  const reversal: Reversal = { merged: [], kept: [], left: [], notes: [] }
  const from = Date.now()
  try {
    for (const run of examined) await reverseRun(run, { ...options, restorer: transaction.files }, reversal)
  } catch (error) {
    // What was restored so far is recorded, so that it can be continued.
    await transaction.finish({ ...summary, isPartial: true })
    throw error
  }
  const isMerged = new Set(reversal.merged.map(({ path }) => path))
  const restored = transaction.files.states.changed().map(({ path }) => path).filter((path) => !isMerged.has(path))
  if (kind === 'redo') reversal.notes.push(...toldOfMade(noteMadeAgain(options.root, restored, from)))
  const { only, root } = options
  // Paths of the run that were not requested may not be as before.
  const isPartial = reversal.left.length > 0 || (only !== undefined
    && examined.some((run) => othersThan(only, run, root).some((path) => !run.asBefore.has(path))))
  if (restored.length === 0 && reversal.merged.length === 0 && !isPartial) {
    const isAllKept = reversal.kept.length > 0
    if (isAllKept || await isElsewhere(options.root, examined)) {
      transaction.abandon(NOTHING_DONE)
      if (!isAllKept) throw elsewhere(kind, wanted.runId)
      return { ...reversal, success: false, target: wanted.runId, restored, warnings: reversal.notes }
    }
  }
  const finished = await transaction.finish({
    ...summary, isPartial,
    uncommitted: [
      ...reversal.merged.filter(({ marked }) => marked).map(({ path }) => path),
      ...await unsavedBefore(root, wanted.runId, options.runId),
    ],
  })
  const { merged, kept, left, notes } = reversal
  return {
    success: reversal.left.length === 0 && finished.fatalError === undefined
      && !examined.some(({ commands }) => commands.unknown),
    target: wanted.runId, restored, merged, kept, left, ...finished,
    warnings: [...new Set([...examined.flatMap(({ commands }) => commands.notes()), ...notes, ...finished.warnings])],
  }
}

function summaryOf(kind: Kind, target: string, examined: readonly ExaminedRun[]): RunSummary {
  // A redo undoes an undo; its subject is that of the original run.
  const subject = (examined[0]?.run.end?.summary ?? target).replace(/^(?:(?:undo|redo) )+/, '')
  return {
    blocks: 0, failures: 0, subject: `${kind} ${subject}`.slice(0, 68),
    lines: [`${kind === 'undo' ? 'Takes back' : 'Repeats'} run ${target}.`],
  }
}

function changedSince(kind: Kind, target: string, paths: readonly string[]): HermesError {
  return new HermesError('CHANGED_ON_DISK', `Changed since run ${target}: ${listed(paths)}`, {
    hint: `Nothing was changed. ${settingName(`${kind}Force`)} keeps these changes and merges them with what is `
      + 'taken back.',
    data: { paths },
  })
}

function elsewhere(kind: Kind, target: string): HermesError {
  const what = kind === 'undo' ? `Run ${target}` : `What took back run ${target}`
  return new HermesError('NOTHING_TO_UNDO', `${what} is not in what is checked out: HEAD does not have its commit, `
    + 'and no file is as it left it', {
    hint: 'Nothing was changed. Check out a branch that has it, then hermes '
      + `${kind}${kind === 'undo' ? '; or take back another run (--run ID)' : ''}.`,
  })
}

function withRootAbove(nothing: HermesError, root: string): HermesError {
  const above = rootAbove(root)
  return above === undefined ? nothing
    : new HermesError(nothing.code, nothing.message, {
      hint: `Runs are on record for ${above}: --root ${shellWord(above)}.`,
    })
}

function nothingToUndo({ root, target }: UndoOptions): HermesError {
  const problem = target === undefined ? 'There is no run to undo'
    : listRunIds(root).some((runId) => runId.startsWith(target)) ? `Run ${target} is not in force: it was taken back`
    : `No run of this root is called ${target}, or its journal is gone`
  return new HermesError('NOTHING_TO_UNDO', problem, { hint: 'hermes log lists the runs.' })
}
