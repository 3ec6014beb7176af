import { HermesError, type PathGate } from '../../../../0-contracts/src/index.js'
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
  /** Canonical. */
  root: string
  gate: PathGate
  /** Id of the new run that takes the old one back. */
  runId: string
  /** The run to take back, or what only its id begins with; the last one that is in force when absent. */
  target?: string
  /** Where something else was changed since, merge instead of stopping. */
  force: boolean
  /**
   * Where something else was changed since, and not `force`: take back the rest, and `leave` it for another undo, or
   * `keep` it for good. Default: take back nothing.
   */
  changed?: 'leave' | 'keep' | undefined
  /** Only these paths, as the journal stores them; the run stays in force with the others. */
  only?: ReadonlySet<string> | undefined
  /** Takes the whole journal as this user's and signs it. Default: only what is signed with this user's key counts. */
  trustJournal?: boolean
  git: boolean
  durable: boolean
  waitMs: number
  /** Where the hooks of its commit run. Absent: as git runs them. */
  hooks?: HookConsent | undefined
  signal: AbortSignal
}

/** Paths are as the journal stores them: below the root relative to it. */
export interface UndoOutcome extends TransactionOutcome, Omit<Reversal, 'notes'> {
  /**
   * Nothing is `left`, the commit succeeded, and what the commands of the run changed is known. While something is
   * `left` the run stays in force, and another undo goes on.
   */
  success: boolean
  /** The run that was taken back or repeated. */
  target: string
  /** Paths that are as before again. */
  restored: string[]
  /** Runs with which that one went on (`--continue`), and which were taken back or repeated together with it. */
  together?: string[]
}

/**
 * Takes back a run: every path is again as it was before it. The undo is a run of its own, with a commit of its own
 * where the run could have one.
 * Where no `target` is named, the other runs of its unit, and those with which it went on, are taken back after it.
 *
 * @throws HermesError `NOTHING_TO_UNDO`; `CHANGED_ON_DISK` with the paths that differ, unless `force`; `POLICY_DENIED`
 *   for paths outside of the root that are not allowed now; `LOCKED`, also when called within a run;
 *   `INTERRUPTED_RUN` when an earlier run died; `UNTRUSTED_JOURNAL` where the run is in the journal, but not signed
 *   with this user's key, unless `trustJournal`
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

/** Repeats the run that was taken back last. @throws as `undo` */
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

/** Does the same with further runs, each as a run of its own, as long as all succeed. */
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

function joined(one: UndoOutcome, next: UndoOutcome): UndoOutcome {
  return {
    ...next, target: one.target, together: [...one.together ?? [], next.target, ...next.together ?? []],
    restored: [...new Set([...one.restored, ...next.restored])],
    merged: [...one.merged, ...next.merged], kept: [...one.kept, ...next.kept], left: [...one.left, ...next.left],
    warnings: [...one.warnings, ...next.warnings],
  }
}

/** The other runs that were made for the same, e.g. a message; newest first. */
function unitOf(root: string, runId: string): string[] {
  const heads = readHeads(root)
  const unit = heads.find((head) => head.runId === runId)?.begin?.unit
  return unit === undefined ? []
    : heads.map((head) => head.begin).flatMap((one) => (one?.unit === unit && one.runId !== runId ? [one.runId] : []))
      .reverse()
}

type Kind = 'undo' | 'redo'
/** `journals`: what is to be reversed. */
type Chosen = Pick<KnownRun, 'runId' | 'journals'>

/** What the other command began and could not end is taken back. */
function halfWay(run: KnownRun | undefined): Chosen | undefined {
  return run && run.partial.length > 0 ? { runId: run.runId, journals: run.partial } : undefined
}

const NOTHING_DONE: RunSummary = { blocks: 0, failures: 0, subject: '', lines: [] }

/** Chooses again when the root is its own: another run may have ended while it waited. */
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
    const isStill = wanted !== undefined && sameJournals(wanted, choose())
    if (isStill) return reverse(kind, wanted, transaction, options)
    transaction.abandon(NOTHING_DONE)
    if (!wanted) throw untrustedInstead(kind, options) ?? nothing
  }
}

/** Hooks that it planted are not run when it is reversed; what was not to be committed, no reversal commits either. */
function ofRun({ root, git }: UndoOptions, runId: string): { of: string; git: boolean; programs?: string } {
  const outline = readOutline(root, runId)
  const programs = outline?.end?.programs
  return {
    of: runId, git: git && outline?.begin.commits !== false, ...(programs !== undefined && { programs }),
  }
}

/** Where what is asked for is in the journal, but is not this user's. @throws as `readRun`, where it is damaged */
function untrustedInstead(kind: Kind, { root, target }: UndoOptions): HermesError | undefined {
  const id = target === undefined ? undefined : findRunId(root, target)
  const chain = new Set(readChain(root).map((run) => run.begin.runId))
  const heads = readHeads(root)
  requireReadable(root, heads)
  const others = heads.filter((head) => head.begin && !chain.has(head.runId) && (id ?? head.runId) === head.runId)
  for (const { runId } of others) readRun(root, runId)
  // What has a right first line, and is none of the chain, was changed.
  const found = others.map(({ runId, signature }) => (
    { runId, signature: signature === 'unsigned' ? signature : 'forged' as const }
  ))
  return found.length === 0 ? undefined
    : untrustedJournal(`Nothing was ${kind === 'undo' ? 'undone' : 'repeated'}`, found)
}

function sameJournals({ journals }: Chosen, other: Chosen | undefined): boolean {
  return other?.journals.join('\n') === journals.join('\n')
}

async function reverse(
  kind: Kind, wanted: Chosen, transaction: RunTransaction, options: UndoOptions,
): Promise<UndoOutcome> {
  let examined: ExaminedRun[]
  try {
    examined = await examineRuns(wanted.journals, options)
    const differing = examined.flatMap((one) => one.differing).filter((path) => options.only?.has(path) ?? true)
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
    for (const one of examined) {
      const { merged, kept, left, notes } = await reverseRun(one, { ...options, restorer: transaction.files })
      reversal.merged.push(...merged)
      reversal.kept.push(...kept)
      reversal.left.push(...left)
      reversal.notes.push(...notes)
    }
  } catch (error) {
    // What was put back so far is on record, so that it can be gone on with.
    await transaction.finish({ ...summary, isPartial: true })
    throw error
  }
  const { restored, uncommitted } = sortOut(transaction, reversal)
  if (kind === 'redo') reversal.notes.push(...toldOfMade(noteMadeAgain(options.root, restored, from)))
  const isPartial = reversal.left.length > 0 || isMoreLeft(examined, options)
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
    uncommitted: [...uncommitted, ...await unsavedBefore(options.root, wanted.runId, options.runId)],
  })
  const { merged, kept, left, notes } = reversal
  return {
    success: reversal.left.length === 0 && finished.fatalError === undefined
      && !examined.some(({ commands }) => commands.unknown),
    target: wanted.runId, restored, merged, kept, left, ...finished,
    warnings: [...examined.flatMap(({ commands }) => commands.notes()), ...notes, ...finished.warnings],
  }
}

/** Paths of the run that were not asked for are not as before. */
function isMoreLeft(examined: readonly ExaminedRun[], { root, only }: UndoOptions): boolean {
  return only !== undefined
    && examined.some((one) => othersThan(only, one, root).some((path) => !one.asBefore.has(path)))
}

function sortOut({ files }: RunTransaction, { merged }: Reversal): { restored: string[]; uncommitted: string[] } {
  const isMerged = new Set(merged.map(({ path }) => path))
  return {
    restored: files.states.changed().map(({ path }) => path).filter((path) => !isMerged.has(path)),
    uncommitted: merged.filter(({ marked }) => marked).map(({ path }) => path),
  }
}

function summaryOf(kind: Kind, target: string, examined: readonly ExaminedRun[]): RunSummary {
  // What is repeated is the undo of an undo: its subject is that of the run they are about.
  const subject = (examined[0]?.run.end?.summary ?? target).replace(/^(?:(?:undo|redo) )+/, '')
  return {
    blocks: 0, failures: 0, subject: `${kind} ${subject}`.slice(0, 68),
    lines: [`${kind === 'undo' ? 'Takes back' : 'Repeats'} run ${target}.`],
  }
}

function changedSince(kind: string, target: string, paths: readonly string[]): HermesError {
  return new HermesError('CHANGED_ON_DISK', `Changed since run ${target}: ${listed(paths)}`, {
    hint: `Nothing was changed. hermes ${kind} --force keeps these changes and merges them with what is taken back.`,
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

function nothingToUndo({ target }: UndoOptions): HermesError {
  return target === undefined
    ? new HermesError('NOTHING_TO_UNDO', 'There is no run to undo', { hint: 'hermes log lists the runs.' })
    : new HermesError(
      'NOTHING_TO_UNDO', `Run ${target} is not in force, or its journal is gone`,
      { hint: 'hermes log lists the runs.' },
    )
}
