import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, type AccessClass, type PathGate, type Rewrite } from '../../../0-contracts/src/index.js'
import { DiskFiles, type LockFile } from '../../../2-files/src/index.js'
import {
  JournalledFiles, nextInChain, readHeads, readRun, resolveStored, RunJournal, type RunHead,
} from '../journal/index.js'
import { NextStart } from '../../../2-packages/src/index.js'
import { repositoryOfRun, takeLock } from './begin-run.js'
import { commitAfterRun } from './commit/commit-after-run.js'
import { CommandChanges } from './commands/command-changes.js'
import { pruneRuns } from './prune-runs.js'
import { onDisk } from './undo/put-back.js'
import type { Repository } from './repository.js'
import { inProgress, reasonOf, requireNoDeadRun, toldOfForeignRuns } from './run-refusals.js'
import { RunCommands } from './commands/run-commands.js'
import { nextMoment } from './run-id.js'
import type { RunSummary } from './run-summary.js'
import { takeBack } from './undo/take-back.js'
import type { RolledBack, TransactionOptions, TransactionOutcome } from './transaction-options.js'

/** Verbs that only read, or only change memory: they need no lock and no journal. */
const HARMLESS = new Set<AccessClass>(['read', 'meta'])
/** Verbs that start processes, which may change files. */
const RUNS_COMMANDS = new Set<AccessClass>(['exec', 'dynamic', 'git'])

/**
 * One run as a unit: the lock of its root, the journal for undo, and its commit. None of these is made before the first
 * block that may change something.
 */
export class RunTransaction {
  readonly files: JournalledFiles
  #lock: LockFile | undefined
  #journal: RunJournal | undefined
  /** Earlier runs, oldest first; they stay the same while the lock is held. */
  #heads: readonly RunHead[] = []
  #repository: Repository | undefined
  #programs: ReturnType<typeof watchPrograms> | undefined
  /** Hash of git's hooks and configuration before the run, if they have changed. */
  #changedPrograms: string | undefined
  #head: string | undefined
  #closed = false
  #changedNothing = false
  #rewrites: readonly Rewrite[] = []
  #nextStart: NextStart | undefined
  /** Paths changed by someone else before the running command; absent while none runs. */
  #foreign: ReadonlySet<string> | undefined
  readonly #warnings: string[] = []
  readonly #commands: RunCommands

  constructor(private readonly options: TransactionOptions) {
    const { runId, durable, keepsTexts, baselines } = options
    this.#commands = new RunCommands({ runId, durable, warnings: this.#warnings })
    this.files = new JournalledFiles(new DiskFiles({ keepsTexts }), () => this.#openJournal(), baselines)
  }

  /**
   * Call it before a block that may change something: takes the lock, and checks whether the root is fit for a run.
   *
   * @throws HermesError `LOCKED`, `INTERRUPTED_RUN` when an earlier run died, `OPERATION_IN_PROGRESS`; git's refusals
   */
  async beforeBlock(type: AccessClass): Promise<void> {
    this.options.baselines.startBlock()
    if (HARMLESS.has(type)) return
    if (!this.#lock) await this.#begin()
    if (RUNS_COMMANDS.has(type)) await this.#beforeCommand()
  }

  /** Records how extensions changed the answer; call it before the first block. */
  noteRewrites(rewrites: readonly Rewrite[]): void {
    this.#rewrites = rewrites
  }

  /** Records that a command leads a process group, which recovery may have to kill. */
  noteProcess(pid: number): void {
    this.#journal?.record({ op: 'process', pid, at: Date.now() })
  }

  /**
   * Call it after a block: accepts what its command changed.
   *
   * @param isRefused its command was refused before it was started
   */
  afterBlock(type: AccessClass, isRefused = false): void {
    if (!RUNS_COMMANDS.has(type)) return
    // A git verb of several steps may have been refused half-way.
    if (isRefused && type !== 'git' && this.#journal) this.#commands.takeBack(this.#journal)
    if (this.#foreign) this.options.baselines.afterCommand(this.#foreign)
    this.#foreign = undefined
    this.#commands.keepJournal(this.#journal, this.#lock)
  }

  /** Files that change while a command waits for the user's answer were changed by someone else. */
  async whileAsked<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.#foreign) return ask()
    const { baselines } = this.options
    baselines.afterCommand(this.#foreign)
    try {
      return await ask()
    } finally {
      if (this.#foreign) this.#foreign = baselines.beforeCommand()
    }
  }

  /** Ends the run: commits it, closes the journal, and releases the root. Never rejects. */
  async finish(summary: RunSummary): Promise<TransactionOutcome> {
    const outcome: TransactionOutcome = { warnings: this.#warnings }
    if (!this.#lock) return outcome
    try {
      this.files.flush()
      // Restores what decides about the next start of hermes, before git looks at the files: it is to be in no commit.
      this.#warnings.push(...await this.#nextStart?.putBack() ?? [])
      const commit = await this.#commit(summary)
      if (commit !== undefined) outcome.gitCommit = commit
      else this.#changedNothing = await this.#isWithoutChange()
    } catch (error) {
      outcome.fatalError = reasonOf(error)
    }
    const unended = this.#end(summary, 'done', outcome.gitCommit)
    if (unended !== undefined) outcome.fatalError ??= unended
    return outcome
  }

  /**
   * Restores everything that the run has changed. What someone else has changed since stays as it is.
   *
   * @returns what could not be restored, and remarks for the user
   */
  async rollBack(summary: RunSummary, gate: PathGate): Promise<RolledBack> {
    if (!this.#lock) return { extent: true, left: [], warnings: this.#warnings }
    const { root, runId } = this.options
    const left: { path: string; reason: string }[] = []
    let extent: RolledBack['extent'] = true
    try {
      this.#warnings.push(...await this.#nextStart?.putBack() ?? [])
      if (this.#journal) await this.#commands.end(this.#journal)
      const run = this.#journal && readRun(root, runId)
      if (run) {
        const commands = await this.#commands.changesToPutBack(root, run)
        extent = commands.unknown ? 'partly' : this.#commands.haveRun ? 'files' : true
        left.push(...await takeBack(run, commands, { root, gate, restorer: onDisk(), except: new Set() }))
      }
    } catch (error) {
      left.push({ path: '.', reason: reasonOf(error) })
    }
    // The session's knowledge of these files is out of date.
    for (const { path } of this.files.states.changed()) this.options.baselines.forget(resolveStored(root, path))
    const unended = this.#end(summary, 'restored', undefined)
    if (unended !== undefined) left.push({ path: '.hermes', reason: unended })
    return { extent: left.length > 0 ? 'partly' : extent, left, warnings: this.#warnings }
  }

  /** Ends the run without any change. */
  abandon(summary: RunSummary): void {
    this.#end(summary, 'restored', undefined)
  }

  /** Records the state before a command, by a git snapshot even where nothing will be committed. */
  async #beforeCommand(): Promise<void> {
    const isUnlooked = !this.#commands.haveRun && !this.options.git
    const repository = this.#repository
      ?? (isUnlooked ? await repositoryOfRun(this.options, this.#warnings) : undefined)
    await this.#commands.before(this.#openJournal(), repository)
    this.#foreign = this.options.baselines.beforeCommand()
  }

  async #begin(): Promise<void> {
    const lock = await takeLock(this.options)
    try {
      const { root, nextStart } = this.options
      this.#heads = readHeads(root)
      requireNoDeadRun(root, this.#heads)
      const told = toldOfForeignRuns(root, this.#heads)
      if (told !== undefined) this.#warnings.push(told)
      if (this.options.git) await this.#beginInRepository()
      if (nextStart) this.#nextStart = new NextStart(root, nextStart)
      this.#lock = lock
      if (this.options.kind !== undefined) this.#openJournal()
    } catch (error) {
      lock.release()
      throw error
    }
  }

  async #beginInRepository(): Promise<void> {
    const repository = await repositoryOfRun(this.options, this.#warnings)
    if (!repository) return
    const operation = repository.operation()
    if (operation !== undefined) throw inProgress(operation)
    const { programs, of } = this.options
    this.#programs = watchPrograms(repository, programs === undefined ? undefined : { runId: of, digest: programs })
    this.#head = await repository.head()
    this.#repository = repository
  }

  #openJournal(): RunJournal {
    if (this.#journal) return this.#journal
    if (this.#closed) throw new HermesError('INTERNAL', 'The run has ended')
    const { root, runId, kind = 'run', of, atomic, durable, unit, git } = this.options
    const heads = this.#heads
    pruneRuns(root, heads)
    const startedAt = nextMoment()
    this.#journal = new RunJournal(root, {
      runId, kind, startedAt, ...nextInChain(root, heads), ...(of !== undefined && { of }),
      ...(unit !== undefined && { unit }), ...(!git && { commits: false }), ...(atomic === true && { atomic }),
    }, durable)
    if (this.#rewrites.length > 0) this.#journal.recordRewrites(this.#rewrites)
    return this.#journal
  }

  async #commit(summary: RunSummary): Promise<string | undefined> {
    const [repository, journal] = [this.#repository, this.#journal]
    if (!journal) return undefined
    await this.#commands.end(journal)
    if (!repository) return undefined
    const changed = this.#programs?.()
    this.#changedPrograms = changed?.digest
    if (changed) this.#warnings.push(changed.warning)
    return commitAfterRun(repository, summary, {
      options: this.options, states: this.files.states, journal, commandsRan: this.#commands.haveRun,
      head: this.#head, changedPrograms: changed !== undefined, warnings: this.#warnings,
    })
  }

  /** Whether a run with a unit changed nothing: such a message is no step in the history. */
  async #isWithoutChange(): Promise<boolean> {
    const { root, runId, unit } = this.options
    if (unit === undefined || !this.#commands.haveRun || this.files.states.changed().length > 0) return false
    const run = readRun(root, runId)
    const changes = run && await CommandChanges.read(run, runId)
    return changes !== undefined && !changes.unknown && changes.paths(root).size === 0
  }

  /**
   * Releases the root in any case.
   *
   * @returns why the journal could not be closed, e.g. a full disk
   */
  #end(summary: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): string | undefined {
    this.#closed = true
    try {
      this.#commands.dispose()
      this.files.flush()
      this.#closeJournal(summary, outcome, commit)
      return undefined
    } catch (error) {
      return `${reasonOf(error)} (the journal of run ${this.options.runId} could not be closed: run hermes recover)`
    } finally {
      this.#lock?.release()
      this.#lock = undefined
    }
  }

  #closeJournal(summary: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): void {
    const journal = this.#journal
    if (!journal) return
    const { blocks, failures, subject, isPartial } = summary
    // An undo is kept in the history even where it had nothing to change.
    const isKept = (this.#commands.haveRun && !this.#changedNothing) || this.files.states.changed().length > 0
      || (this.options.kind !== undefined && outcome === 'done')
    if (isKept) {
      journal.end({
        endedAt: new Date().toISOString(), blocks, failures, summary: subject, outcome,
        ...(commit !== undefined && { commit }), ...(isPartial === true && { partial: true }),
        ...(this.#changedPrograms !== undefined && { programs: this.#changedPrograms }),
      })
      return
    }
    journal.close()
    rmSync(journal.directory, { recursive: true, force: true })
  }
}

/**
 * Notes git's hooks and configuration as they are before a run: no hook is run that it may have written.
 *
 * @param reversed the run whose undo or redo this is, where it changed them; `digest`: that of both before it
 * @returns tells later their digest from before, and what to tell the user; `undefined` where they are as they were
 */
function watchPrograms(
  repository: Repository, reversed: { runId: string | undefined; digest: string } | undefined,
): () => { digest: string; warning: string } | undefined {
  const digest = reversed?.digest ?? repository.programsDigest()
  return () => {
    if (repository.programsDigest() === digest) return undefined
    const what = reversed
      ? `Hooks or the configuration of git that run ${reversed.runId} changed are still there: no hook was run`
      : 'The run changed hooks or the configuration of git: no hook was run for its commit, and they stay'
    const config = join(repository.gitDirectory, 'config')
    return { digest, warning: `${what}. Look at ${repository.hooksDirectory} and ${config}` }
  }
}
