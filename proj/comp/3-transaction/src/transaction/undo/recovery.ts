import { join } from 'node:path'
import { caughtLater, HermesError, type PathGate } from '../../../../0-contracts/src/index.js'
import {
  addToLog, flushPaths, readRun, resolveStored, statesOf, type RunEnd, type RunRecord,
} from '../../journal/index.js'
import { listed } from '../../../../0-text/src/index.js'
import { changedPaths } from '../changed-paths.js'
import type { CommandChanges } from '../commands/command-changes.js'
import { commitRun, movedIn, refreshIndex } from '../commit/commit-run.js'
import { leftOutBefore } from '../commit/left-out-before.js'
import { journalsToReverse, readHistory } from '../run-history.js'
import { examineRuns } from './examine-run.js'
import { changedSinceCommit, goneInCommit, mayBeGoneLater, toldOfFound } from './later-work.js'
import { onDisk, type Restorer } from './put-back.js'
import type { RecoverOptions, RecoverOutcome } from './recover-outcome.js'
import type { PathReason, Reversal } from './reversal.js'
import type { Repository } from '../repository.js'
import { startOf } from '../run-start.js'
import { reverseRun } from './reverse-run.js'
import { takeBack } from './take-back.js'
import { forceBack, keptDirectories, withUnnamed } from './unrestored.js'
import { unsavedBefore } from '../commit/unsaved-before.js'

type Outcome = RecoverOutcome & { runId: string }

/** Ends one dead run, once everything half-done is settled. */
export class Recovery {
  /**
   * @param later stored paths that were changed after it died, and are left alone
   * @param warnings so far; more are added
   * @param repository only where a commit is wanted
   */
  constructor(
    private readonly run: RunRecord, private readonly commands: CommandChanges,
    private readonly later: ReadonlySet<string>, private readonly warnings: string[],
    private readonly options: RecoverOptions, private readonly repository: Repository | undefined,
  ) {}

  /** The commit of the run, if it got that far. */
  async ownCommit(): Promise<string | undefined> {
    const head = await this.#ownHead()
    return head?.isSave ? undefined : head?.commit
  }

  async restore(): Promise<Outcome> {
    const { root, gate } = this.options
    const run = this.run
    // An earlier recovery may have been interrupted.
    if (!run.operations.some(({ op }) => op === 'restoring')) addToLog(run.directory, { op: 'restoring' })
    const places = { root, gate }
    let left: PathReason[] = await takeBack(run, this.commands, { ...places, restorer: onDisk(), except: this.later })
    // The journal does not know what commands did in between.
    if (!run.operations.some(({ op }) => op === 'command')) left = withUnnamed(run, left, places)
    if (this.options.force) left = forceBack(run, left, places)
    const kept = keptDirectories(run, left, places)
    left = left.filter(({ path }) => !this.later.has(path) && !kept.has(path))
    this.warnings.push(
      ...[...kept].map((path) => `The directory ${path} stays: it holds what the run did not put there`),
    )
    const isWhole = left.length === 0 && this.later.size === 0
    left.push(...[...this.later].map(
      (path) => ({ path, reason: 'changed after the run died, maybe by someone else: it stays' }),
    ))
    if (this.commands.unknown) {
      left.push({ path: '.', reason: 'commands ran: what they changed is not known, and stays' })
    }
    // Previous work has been committed meanwhile, so the index has to be updated.
    if (this.repository && (await this.#ownHead())?.isSave) await refreshIndex(this.repository, run.begin)
    if (!isWhole && this.options.restore) {
      this.warnings.push('The run is still open: hermes recover --restore --force puts back what was changed after '
        + 'it died, too; '
        + 'hermes recover leaves what is named as it is, and ends the run')
    } else this.#end('restored', undefined)
    this.#tellOfCommands()
    return this.#outcome({ restored: true, left })
  }

  /** @param committed the commit of the run, if there is one already */
  async finish(committed: string | undefined): Promise<Outcome> {
    const repository = this.repository
    if (repository && committed !== undefined) await refreshIndex(repository, this.run.begin)
    const { root, gate } = this.options
    const uncommitted = committed === undefined ? [] : await changedSinceCommit(root, this.run, committed)
    if (uncommitted.length > 0) this.warnings.push(
      `Changed after the commit of the run, maybe by someone else, so not in it: ${listed(uncommitted)}`,
    )
    const isCut = committed === undefined && !await isAllReversed(this.run, { root, gate })
    const commits = this.run.begin.commits !== false
    const commit = committed ?? (repository && commits ? await this.#commit(repository) : undefined)
    this.#end(commit === undefined && this.#hasDoneNothing() ? 'restored' : 'done', commit, isCut)
    return this.#outcome({ restored: false, left: [], ...(commit !== undefined && { gitCommit: commit }) })
  }

  async #commit(repository: Repository): Promise<string | undefined> {
    const count = this.#paths().length
    if (count === 0) return undefined
    // Otherwise previous work, committed meanwhile, would look staged.
    if ((await this.#ownHead())?.isSave) await refreshIndex(repository, this.run.begin)
    const { root } = this.options
    const states = statesOf(this.run)
    const command = this.run.operations.find((operation) => operation.op === 'command')
    const written = new Map(changedPaths(root, states, false).map((changedPath) => [changedPath.path, changedPath]))
    const changed = changedPaths(root, states, command !== undefined).map((changedPath) => (
      this.#isLater(changedPath.path) ? written.get(changedPath.path) ?? changedPath : changedPath
    ))
    const { clean: byCommands, made, dirty } = await this.commands.clean(
      new Set(changed.flatMap(({ path }) => repository.pathOf(path) ?? [])),
    )
    const goneBefore = await goneInCommit(repository, this.run)
    const gone = byCommands.filter((name) => (
      !goneBefore.has(name) && mayBeGoneLater(this.run, join(repository.top, name))
    ))
    const clean = byCommands.filter((name) => !gone.includes(name) && !this.#isLater(join(repository.top, name)))
    const later = [...this.later, ...gone]
    if (later.length > 0) this.warnings.push(
      `Changed after the run died, maybe by someone else, so not committed with it: ${listed(later)}`,
    )
    if (dirty.length > 0) this.warnings.push('Changed by a command, not committed since not clean before: '
      + `${dirty.slice(0, 10).join(', ')}`)
    const skipHooks = this.#programsBefore() !== undefined
      || changed.some(({ path }) => path.startsWith(`${repository.hooksDirectory}/`))
    if (skipHooks) this.warnings.push('Hooks or the configuration of git were changed since the run began: '
      + 'no hook was run for its commit')
    const { runId, kind, of } = this.run.begin
    const begun = startOf(repository, root, this.run)
    const own = await this.#ownHead()
    // Previous work that is committed already is not someone else's change.
    const start = begun && own?.isSave ? { ...begun, head: own.commit } : begun
    const unsaved = of === undefined ? [] : await unsavedBefore(root, of, runId)
    const { commit, warnings } = await commitRun(repository, {
      runId, changed, kind, ...movedIn(root, states), byCommands: clean,
      madeByCommands: new Set(made), skipHooks, hooks: this.options.hooks,
      subject: `interrupted run, ${count === 1 ? '1 path' : `${count} paths`} changed`,
      body: ['The run was interrupted; this is what it had done.'], journal: this.run.directory,
      ...(start && { start }),
      ...(kind !== 'run' && { reversal: {
        uncommitted: new Set(unsaved.map((path) => resolveStored(root, path))),
        leftOut: await leftOutBefore(repository, root, { of, runId }),
      } }),
    })
    this.warnings.push(...warnings)
    return commit
  }

  /** Hash of git's hooks and configuration before the run, if they have changed. */
  #programsBefore(): string | undefined {
    const { root } = this.options
    const { begin: { of }, operations } = this.run
    const command = operations.find(({ op }) => op === 'command')
    const before = command?.op === 'command' ? command.programs
      : of === undefined ? undefined : readRun(root, of)?.end?.programs
    return before === this.repository?.programsDigest() ? undefined : before
  }

  #isLater(absolute: string): boolean {
    return [...this.later].some((path) => resolveStored(this.options.root, path) === absolute)
  }

  /** Nobody can tell who wrote while a command ran, or after the run died. */
  #tellOfCommands(): void {
    const last = this.run.operations.findLast(({ op }) => op === 'snapshot')
    if (last?.op === 'snapshot' && this.commands.paths(this.options.root).size > 0) {
      this.warnings.push(toldOfFound(this.run.begin.runId))
    }
    this.warnings.push(...this.commands.notes())
  }

  #outcome(outcome: Pick<RecoverOutcome, 'restored' | 'left' | 'gitCommit'>): Outcome {
    const warnings = this.warnings
    return { runId: this.run.begin.runId, ...outcome, paths: this.#paths(), ...(warnings.length > 0 && { warnings }) }
  }

  async #ownHead(): Promise<{ commit: string; isSave: boolean } | undefined> {
    const output = await this.repository?.try(['log', '-1', '--format=%H%n%B'])
    if (output?.exitCode !== 0) return undefined
    const [commit = '', subject = '', ...body] = output.stdout.toString('utf8').split('\n')
    if (!body.includes(`Hermes-Run: ${this.run.begin.runId}`)) return undefined
    return { commit, isSave: /^AI: (?:staged )?before /.test(subject) }
  }

  #paths(): string[] {
    return [...new Set([
      ...statesOf(this.run).changed().map(({ path }) => path), ...this.commands.paths(this.options.root),
    ])]
  }

  /** The run changed nothing, so undo should apply to the previous run. */
  #hasDoneNothing(): boolean {
    const { begin, operations } = this.run
    return begin.kind === 'run' && this.#paths().length === 0 && !operations.some(({ op }) => op === 'command')
  }

  /** @param isCut it died before all was done, so an undo has to be continued */
  #end(outcome: RunEnd['outcome'], commit: string | undefined, isCut = false): void {
    const { durable, kind } = this.run.begin
    const programs = kind === 'run' && this.repository ? this.#programsBefore() : undefined
    if (durable) flushPaths(this.#paths().map((path) => resolveStored(this.options.root, path)))
    addToLog(this.run.directory, {
      op: 'end', endedAt: new Date().toISOString(), blocks: 0, failures: 0, outcome,
      summary: outcome === 'restored' ? 'interrupted, restored' : 'interrupted',
      ...(commit !== undefined && { commit }), ...(isCut && kind !== 'run' && { partial: true as const }),
      ...(programs !== undefined && { programs }),
    })
  }
}

/**
 * Whether an undo or redo that died had restored everything, so that repeating it without force would change nothing.
 */
async function isAllReversed(
  { begin: { kind, of, runId } }: RunRecord, places: { root: string; gate: PathGate },
): Promise<boolean> {
  if (kind === 'run' || of === undefined) return false
  const journals = journalsToReverse(readHistory(places.root), kind, of)
  if (!journals) return false
  // Only counts what it would do.
  let count = 0
  const counted = (): void => {
    count++
  }
  const restorer: Restorer = { restore: counted, move: counted, makeDirectories: counted }
  return caughtLater(HermesError, async () => {
    for (const examined of await examineRuns(journals, { ...places, runId })) {
      if (examined.differing.length > 0 || examined.commands.unknown) return false
      const reversal: Reversal = { merged: [], kept: [], left: [], notes: [] }
      await reverseRun(examined, { ...places, runId, restorer }, reversal)
      if (reversal.left.length > 0) return false
    }
    return count === 0
  }, () => false)
}
