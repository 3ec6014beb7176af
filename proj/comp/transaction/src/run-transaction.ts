import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, type AccessClass, type PathGate } from '../../contracts/src/index.js'
import { DiskFiles } from '../../files/src/index.js'
import {
  JournalledFiles, readRun, resolveStored, RootLock, RunJournal, type Baselines, type RunBegin,
} from '../../journal/src/index.js'
import type { HookConsent } from '../../sandbox/src/index.js'
import { CommandChanges } from './command-changes.js'
import { CommandWatch } from './command-watch.js'
import { commitAfterRun } from './commit-after-run.js'
import { readStaged } from './git-entries.js'
import { pruneRuns } from './prune-runs.js'
import { onDisk } from './put-back.js'
import { findRepository, type Repository } from './repository.js'
import { inProgress, reasonOf, requireNoDeadRun } from './refusals.js'
import { nextMoment } from './run-id.js'
import type { RunSummary } from './run-summary.js'
import { takeBack } from './take-back.js'

export interface TransactionOptions {
  /** Canonical. */
  root: string
  runId: string
  baselines: Baselines
  /** Commit in a git work tree. */
  git: boolean
  /** Refuse to work outside of one. */
  requireGit?: boolean
  /** Flush the journal before each change, so that it survives a loss of power. */
  durable: boolean
  /** How long to wait for another run in the same root. */
  waitMs: number
  /** All blocks or none. */
  atomic?: boolean
  /** The changes of files hold texts, for diffs. */
  keepsTexts?: boolean
  kind?: RunBegin['kind']
  /** The run that is taken back or repeated. */
  of?: string
  /** Hash of git's hooks and configuration before that run, where it changed them: no others are run. */
  programs?: string
  /** Where the hooks of its commit run. Absent: as git runs them. */
  hooks?: HookConsent | undefined
  signal: AbortSignal
}

export interface TransactionOutcome {
  /** Full SHA. */
  gitCommit?: string
  /** What git or the system refused; what the run did stays. */
  fatalError?: string
  /** What the user should know besides. */
  warnings: string[]
}

export interface RolledBack {
  /** Everything is as before; only files are, as far as git knows them, since commands ran; or not even those. */
  extent: true | 'files' | 'partly'
  /** Paths that could not be put back. */
  left: { path: string; reason: string }[]
  warnings: string[]
}

/** Verbs that only look, or keep things in memory: they need no lock and no journal. */
const HARMLESS = new Set<AccessClass>(['read', 'meta'])

/**
 * One run as one unit: the lock of its root, the journal that can take it back, and its commit. Nothing of all that
 * is made before the first block that may change something.
 */
export class RunTransaction {
  readonly files: JournalledFiles
  readonly #options: TransactionOptions
  #lock: RootLock | undefined
  #journal: RunJournal | undefined
  #repository: Repository | undefined
  #programs: string | undefined
  #changedPrograms: string | undefined
  #head: string | undefined
  #closed = false
  /** Changed by someone else before the command that runs. */
  #foreign: ReadonlySet<string> = new Set()
  readonly #warnings: string[] = []
  readonly #commands: CommandWatch

  constructor(options: TransactionOptions) {
    this.#options = options
    this.#commands = new CommandWatch(options.runId, options.durable, this.#warnings)
    this.files = new JournalledFiles(new DiskFiles({ keepsTexts: options.keepsTexts }), () => this.#openJournal(), options.baselines)
  }

  /**
   * Before a block that may change something: takes the lock, and looks whether the root is fit for a run.
   *
   * @throws HermesError `LOCKED`, `INTERRUPTED_RUN` when an earlier run died, `OPERATION_IN_PROGRESS`; git's refusals
   */
  async beforeBlock(type: AccessClass): Promise<void> {
    this.#options.baselines.startBlock()
    if (HARMLESS.has(type)) return
    if (!this.#lock) await this.#begin()
    if (type !== 'exec' && type !== 'dynamic' && type !== 'git') return
    await this.#watchCommands()
    this.#foreign = this.#options.baselines.beforeCommand()
  }

  /** A command began, which leads a process group: recovery may have to end it. */
  noteProcess(pid: number): void {
    this.#journal?.record({ op: 'process', pid, at: Date.now() })
  }

  /** After a block: what a command changed was asked for. */
  afterBlock(type: AccessClass): void {
    if (type !== 'exec' && type !== 'dynamic' && type !== 'git') return
    this.#options.baselines.afterCommand(this.#foreign)
    this.#keepJournal()
  }

  /** The run is over: commits it, closes the journal, and gives the root free. Never rejects. */
  async finish(summary: RunSummary): Promise<TransactionOutcome> {
    const outcome: TransactionOutcome = { warnings: this.#warnings }
    if (!this.#lock) return outcome
    try {
      this.files.flush()
      const commit = await this.#commit(summary)
      if (commit !== undefined) outcome.gitCommit = commit
    } catch (error) {
      outcome.fatalError = reasonOf(error)
    }
    const unended = this.#end(summary, 'done', outcome.gitCommit)
    if (unended !== undefined) outcome.fatalError ??= unended
    return outcome
  }

  /**
   * All or nothing: puts back what the run has changed. What someone else has changed since stays as it is.
   *
   * @returns what could not be put back, and what the user should know
   */
  async rollBack(summary: RunSummary, gate: PathGate): Promise<RolledBack> {
    if (!this.#lock) return { extent: true, left: [], warnings: this.#warnings }
    const { root, runId } = this.#options
    const left: { path: string; reason: string }[] = []
    let extent: RolledBack['extent'] = true
    try {
      if (this.#journal) await this.#commands.after(this.#journal)
      const run = this.#journal && readRun(root, runId)
      if (run) {
        const commands = await CommandChanges.read(run, runId)
        this.#warnings.push(...commands.notes())
        if (commands.paths(root).size > 0) await this.#commands.keepFound(run)
        extent = commands.unknown ? 'partly' : this.#commands.hasRun ? 'files' : true
        left.push(...await takeBack(run, commands, { root, gate, restorer: onDisk(), except: new Set() }))
      }
    } catch (error) {
      left.push({ path: '.', reason: reasonOf(error) })
    }
    // What the session knew of these files is no longer so.
    for (const { path } of this.files.states.changed()) this.#options.baselines.forget(resolveStored(root, path))
    const unended = this.#end(summary, 'restored', undefined)
    if (unended !== undefined) left.push({ path: '.hermes', reason: unended })
    return { extent: left.length > 0 ? 'partly' : extent, left, warnings: this.#warnings }
  }

  /** Nothing was done. */
  abandon(summary: RunSummary): void {
    this.#end(summary, 'restored', undefined)
  }

  /** What they change is known by snapshots of git, also where nothing is to be committed. */
  async #watchCommands(): Promise<void> {
    const isFirst = !this.#commands.hasRun
    const repository = this.#repository ?? (isFirst && !this.#options.git ? await this.#findRepository() : undefined)
    const journal = this.#openJournal()
    if (isFirst && repository) journal.record({ op: 'staged', entries: await readStaged(repository) })
    await this.#commands.before(journal, repository)
    if (isFirst) journal.holdFiles()
  }

  /** A command may have removed `.hermes`. */
  #keepJournal(): void {
    try {
      if (!this.#journal?.writeAgain()) return
      this.#lock?.takeAgain()
      this.#warnings.push('A command removed .hermes: what this run needs of it was written again, '
        + 'but earlier runs cannot be undone any more')
    } catch (error) {
      this.#warnings.push(`A command removed .hermes, so this run cannot be undone: ${reasonOf(error)}`)
    }
  }

  async #begin(): Promise<void> {
    const { root } = this.#options
    const lock = await this.#takeLock()
    try {
      requireNoDeadRun(root)
      if (this.#options.git) {
        const repository = await this.#findRepository()
        const operation = repository?.operation()
        if (operation !== undefined) throw inProgress(operation)
        this.#programs = this.#options.programs ?? repository?.programsDigest()
        this.#head = await repository?.head()
        this.#repository = repository
      }
      this.#lock = lock
      if (this.#options.kind !== undefined) this.#openJournal()
    } catch (error) {
      lock.release()
      throw error
    }
  }

  /** @throws HermesError as `RootLock.acquire`, and with the system's code where `.hermes` cannot be written */
  async #takeLock(): Promise<RootLock> {
    const { root, runId, waitMs, signal } = this.#options
    try {
      return await RootLock.acquire(root, runId, waitMs, signal)
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `The run cannot begin: ${error.message}`, {
        hint: `What a run changes is first noted in ${join(root, '.hermes')}: make it writable, or make room.`, cause: error,
      })
    }
  }

  /** Where git refuses the repository, or is missing, the journal is all there is. */
  async #findRepository(): Promise<Repository | undefined> {
    const { root, requireGit } = this.#options
    let repository: Repository | undefined
    try {
      repository = await findRepository(root)
    } catch (error) {
      if (!(error instanceof HermesError) || requireGit) throw error
      this.#warnings.push(this.#options.git ? `Not committed: ${error.message}` : `What commands change cannot be undone: ${error.message}`)
    }
    if (!repository && requireGit) {
      throw new HermesError('NOT_A_REPOSITORY', `There is no git work tree at ${root}, and a commit was asked for`, {
        hint: 'Run git init there, or leave gitCommit out.',
      })
    }
    return repository
  }

  #openJournal(): RunJournal {
    if (this.#journal) return this.#journal
    if (this.#closed) throw new HermesError('INTERNAL', 'The run has ended')
    const { root, runId, kind = 'run', of, atomic, durable } = this.#options
    pruneRuns(root)
    const startedAt = nextMoment()
    this.#journal = new RunJournal(root, {
      runId, kind, startedAt, ...(of !== undefined && { of }), ...(atomic === true && { atomic }),
    }, durable)
    return this.#journal
  }

  async #commit(summary: RunSummary): Promise<string | undefined> {
    const [repository, journal] = [this.#repository, this.#journal]
    if (!journal) return undefined
    await this.#commands.after(journal)
    if (!repository) return undefined
    this.#lookAtPrograms(repository)
    return commitAfterRun(repository, summary, {
      options: this.#options, states: this.files.states, journal, commandsRan: this.#commands.hasRun, head: this.#head,
      changedPrograms: this.#changedPrograms !== undefined, warnings: this.#warnings,
    })
  }

  #lookAtPrograms(repository: Repository): void {
    if (repository.programsDigest() === this.#programs) return
    this.#changedPrograms = this.#programs
    this.#warnings.push(`${this.#options.programs === undefined ? 'The run changed hooks or the configuration of git: no hook was run for its commit, and they stay'
      : `Hooks or the configuration of git that run ${this.#options.of} changed are still there: no hook was run`}. `
      + `Look at ${repository.hooksDirectory} and ${join(repository.gitDirectory, 'config')}`)
  }

  /** Gives the root free whatever happens. @returns why the journal could not be closed, e.g. on a full disk */
  #end(summary: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): string | undefined {
    this.#closed = true
    try {
      this.#commands.dispose()
      this.files.flush()
      this.#closeJournal(summary, outcome, commit)
      return undefined
    } catch (error) {
      return `${reasonOf(error)} (the journal of run ${this.#options.runId} could not be closed: run hermes recover)`
    } finally {
      this.#lock?.release()
      this.#lock = undefined
    }
  }

  #closeJournal({ blocks, failures, subject, isPartial }: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): void {
    const journal = this.#journal
    if (!journal) return
    // That a run was taken back is history, also where there was nothing to change.
    const isKept = this.#commands.hasRun || this.files.states.changed().length > 0
      || (this.#options.kind !== undefined && outcome === 'done')
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
