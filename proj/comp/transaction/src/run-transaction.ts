import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, type AccessClass, type PathGate } from '../../contracts/src/index.js'
import { DiskFiles } from '../../files/src/index.js'
import {
  captureState, isSameState, JournalledFiles, readRun, resolveStored, RootLock, RunJournal, type Baselines, type RunBegin, type RunRecord,
} from '../../journal/src/index.js'
import { CommandChanges } from './command-changes.js'
import { commitRun, movedIn, type ChangedPath } from './commit-run.js'
import { pruneRuns } from './prune-runs.js'
import { onDisk } from './put-back.js'
import { findRepository, type Repository } from './repository.js'
import { inProgress, reasonOf, requireNoDeadRun } from './refusals.js'
import type { RunSummary } from './run-summary.js'
import { takeBack } from './take-back.js'
import { compareTrees, TreeSnapshots } from './tree-snapshot.js'

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
  kind?: RunBegin['kind']
  /** The run that is taken back or repeated. */
  of?: string
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
  #snapshots: TreeSnapshots | undefined
  #firstTree: string | undefined
  #commands = 0
  #closed = false
  readonly #warnings: string[] = []

  constructor(options: TransactionOptions) {
    this.#options = options
    this.files = new JournalledFiles(new DiskFiles(), () => this.#openJournal(), options.baselines)
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
    if (type === 'exec' || type === 'dynamic' || type === 'git') await this.#beforeCommand()
  }

  /** After a block: what a command changed was asked for. */
  afterBlock(type: AccessClass): void {
    if (type === 'exec' || type === 'dynamic' || type === 'git') this.#options.baselines.forgetAll()
  }

  /** The run is over: commits it, closes the journal, and gives the root free. Never rejects. */
  async finish(summary: RunSummary): Promise<TransactionOutcome> {
    const outcome: TransactionOutcome = { warnings: this.#warnings }
    if (!this.#lock) return outcome
    try {
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
    if (!this.#lock) return { left: [], warnings: this.#warnings }
    const { root, runId } = this.#options
    const last = this.#firstTree === undefined ? undefined : await this.#takeSnapshot()
    if (last !== undefined) this.#journal?.record({ op: 'snapshot', tree: last })
    const run = this.#journal && readRun(root, runId)
    const left = run ? await this.#takeBack(run, gate) : []
    // What the session knew of these files is no longer so.
    for (const { path } of this.files.states.changed()) this.#options.baselines.forget(resolveStored(root, path))
    const unended = this.#end(summary, 'restored', undefined)
    if (unended !== undefined) left.push({ path: '.hermes', reason: unended })
    return { left, warnings: this.#warnings }
  }

  /** Nothing was done. */
  abandon(summary: RunSummary): void {
    this.#end(summary, 'restored', undefined)
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
        this.#programs = repository?.programsDigest()
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
      this.#warnings.push(`Not committed: ${error.message}`)
    }
    if (!repository && requireGit) {
      throw new HermesError('NOT_A_REPOSITORY', `There is no git work tree at ${root}, and a commit was asked for`, {
        hint: 'Run git init there, or leave gitCommit out.',
      })
    }
    return repository
  }

  async #beforeCommand(): Promise<void> {
    this.#commands++
    const journal = this.#openJournal()
    if (this.#commands > 1) return
    const repository = this.#repository
    let tree: string | undefined
    if (repository) {
      this.#snapshots = new TreeSnapshots(repository, this.#options.runId)
      tree = await this.#takeSnapshot()
    }
    this.#firstTree = tree
    journal.record({ op: 'command', action: 'exec', ...(tree !== undefined && { tree }) })
    journal.flush()
  }

  async #takeBack(run: RunRecord, gate: PathGate): Promise<{ path: string; reason: string }[]> {
    const { root, runId } = this.#options
    const commands = await CommandChanges.read(run, runId)
    if (this.#commands > 0) {
      this.#warnings.push(commands.unknown
        ? 'Commands ran: what they changed is not known, and stays'
        : 'Commands ran: files are put back, what else they did stays')
    }
    return takeBack(run, commands, { root, gate, restorer: onDisk(), except: new Set() })
  }

  async #takeSnapshot(): Promise<string | undefined> {
    try {
      return await this.#snapshots?.take()
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#warnings.push(`What commands change cannot be undone or committed: git could not read the tree (${error.message})`)
      return undefined
    }
  }

  #openJournal(): RunJournal {
    if (this.#journal) return this.#journal
    if (this.#closed) throw new HermesError('INTERNAL', 'The run has ended')
    const { root, runId, kind = 'run', of, atomic, durable } = this.#options
    pruneRuns(root)
    const startedAt = new Date().toISOString()
    this.#journal = new RunJournal(root, {
      runId, kind, startedAt, ...(of !== undefined && { of }), ...(atomic === true && { atomic }),
    }, durable)
    return this.#journal
  }

  async #commit(summary: RunSummary): Promise<string | undefined> {
    const repository = this.#repository
    const journal = this.#journal
    if (!repository || !journal) return undefined
    const { root, runId } = this.#options
    const changed: ChangedPath[] = this.files.states.changed()
      .map(({ path, before, after }) => ({ path: resolveStored(root, path), before, after }))
    const byCommands = await this.#changedByCommands(repository, changed)
    this.#warnOfOthers(changed)
    if (changed.length === 0 && byCommands.length === 0) return undefined
    const skipHooks = repository.programsDigest() !== this.#programs
      || changed.some(({ path }) => path.startsWith(`${repository.hooksDirectory}/`))
    if (skipHooks) this.#warnings.push('The run changed hooks or the configuration of git: no hook was run for its commit')
    journal.record({ op: 'commit' })
    const outcome = await commitRun(repository, {
      runId, subject: summary.subject, body: summary.lines, changed, movedDirectories: movedIn(root, this.files.states), byCommands, journal: journal.directory, skipHooks,
    })
    return outcome.commit
  }

  /** The last check: what someone else wrote while the run went on stays on disk, and out of the commit. */
  #warnOfOthers(changed: readonly ChangedPath[]): void {
    if (this.#commands > 0) return
    const others = changed.filter(({ path, after }) => after.kind === 'file' && !isSameState(captureState(path), after))
    if (others.length === 0) return
    const names = others.slice(0, 10).map(({ path }) => path).join(', ')
    this.#warnings.push(`Changed by someone else during the run: ${names}. What the run wrote is committed, the other change is not`)
  }

  /** Files that commands changed and that were clean before; the others are told. */
  async #changedByCommands(repository: Repository, changed: readonly ChangedPath[]): Promise<string[]> {
    if (this.#firstTree === undefined) return []
    const last = await this.#takeSnapshot()
    if (last === undefined) return []
    this.#journal?.record({ op: 'snapshot', tree: last })
    const byVerbs = new Set(changed.map(({ path }) => repository.pathOf(path)))
    const changes = (await compareTrees(repository, this.#firstTree, last)).filter(({ path }) => !byVerbs.has(path))
    if (changes.length === 0) return []
    const head = await repository.head()
    const dirty = head === undefined
      ? changes.filter(({ before }) => before !== undefined).map(({ path }) => path)
      : (await compareTrees(repository, head, this.#firstTree)).map(({ path }) => path)
    const wasDirty = new Set(dirty)
    const left = changes.filter(({ path }) => wasDirty.has(path)).map(({ path }) => path)
    if (left.length > 0) {
      this.#warnings.push(`Changed by a command, not committed since they were not clean before: ${left.slice(0, 10).join(', ')}`)
    }
    return changes.filter(({ path }) => !wasDirty.has(path)).map(({ path }) => path)
  }

  /** Gives the root free whatever happens. @returns why the journal could not be closed, e.g. on a full disk */
  #end(summary: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): string | undefined {
    this.#closed = true
    try {
      this.#snapshots?.dispose()
      this.#closeJournal(summary, outcome, commit)
      return undefined
    } catch (error) {
      return `${reasonOf(error)} (the journal of run ${this.#options.runId} could not be closed: run hermes recover)`
    } finally {
      this.#lock?.release()
      this.#lock = undefined
    }
  }

  #closeJournal({ blocks, failures, subject }: RunSummary, outcome: 'done' | 'restored', commit: string | undefined): void {
    const journal = this.#journal
    if (!journal) return
    // That a run was taken back is history, also where there was nothing to change.
    const isKept = this.#commands > 0 || this.files.states.changed().length > 0
      || (this.#options.kind !== undefined && outcome === 'done')
    if (isKept) {
      journal.end({
        endedAt: new Date().toISOString(), blocks, failures, summary: subject, outcome,
        ...(commit !== undefined && { commit }),
      })
      return
    }
    journal.close()
    rmSync(journal.directory, { recursive: true, force: true })
  }
}
