import { join } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { FilterFailed, NO_HOOKS, nulEnded, nulNames } from '../../../../2-git/src/index.js'
import { resolveStored, type PathStates } from '../../journal/index.js'
import { listed } from '../../../../0-text/src/index.js'
import { candidatesOf } from './commit-paths.js'
import { CommitPlan, removedFrom } from './commit-plan.js'
import { refused, remedyFor, UNCOMMITTED, uncommitted } from './commit-refused.js'
import type { CommitOutcome, CommitRequest } from './commit-request.js'
import { readEntries, type GitEntries } from '../commands/git-entries.js'
import { ignoredBefore } from '../commands/ignored-before.js'
import { ForeignLinks, toldOfForeignLinks } from './foreign-links.js'
import { lockIndex } from './index-lock.js'
import { makeCommit, type CommitCall } from '../make-commit.js'
import type { Moves } from '../undo/moved-names.js'
import { preparedMessages } from './prepared-messages.js'
import { reasonOf } from '../run-refusals.js'
import type { Repository } from '../repository.js'
import { RunIndex } from './run-index.js'
import { StartEntries } from '../run-start.js'
import { SavedBlobs } from './saved-blobs.js'

/**
 * Commits what a run changed and nothing else, through an index of its own, so that other staged or changed files stay
 * as they are. What was uncommitted before the run first goes into commits of its own.
 *
 * @throws HermesError when git fails or a hook refuses, `LOCKED` when another git holds the index; the files stay
 */
export async function commitRun(repository: Repository, request: CommitRequest): Promise<CommitOutcome> {
  return withIndex(repository, request, async (index, links) => {
    const operation = repository.operation()
    if (operation !== undefined) {
      throw new HermesError(
        'OPERATION_IN_PROGRESS', `${UNCOMMITTED}: a ${operation} was begun in the repository meanwhile`,
        { hint: `Commit them when it has ended, or end it (git ${operation} --abort).` },
      )
    }
    return new RunCommit(repository, request, index, links).make()
  })
}

/** Updates the user's index with what a run committed, for a run whose process died before that. */
export async function refreshIndex(repository: Repository, run: Pick<CommitRequest, 'runId' | 'kind'>): Promise<void> {
  const { runId } = run
  await withIndex(repository, run, async (index) => {
    const format = '--format=%H %(trailers:key=Hermes-Run,valueonly,separator=%x2C)'
    const lines = (await repository.run(['log', '--first-parent', '-4', format])).toString('utf8').trim().split('\n')
    const others = lines.findIndex((line) => !line.endsWith(` ${runId}`))
    const commits = lines.map((line) => line.split(' ')[0] ?? '')
    const own = commits.slice(0, others === -1 ? commits.length : others).reverse()
    if (own.length > 0) await index.publish(commits[own.length], own)
  })
}

/** Moved directories and files, as absolute paths. */
export function movedIn(
  root: string, { movedDirectories, movedFiles }: PathStates,
): Pick<CommitRequest, 'movedDirectories' | 'movedFiles'> {
  const absolute = (moves: Moves) => moves.map(({ from, to }) => (
    { from: resolveStored(root, from), to: resolveStored(root, to) }
  ))
  return { movedDirectories: absolute(movedDirectories), movedFiles: absolute(movedFiles) }
}

async function withIndex<T>(
  repository: Repository, { runId, kind }: Pick<CommitRequest, 'runId' | 'kind'>,
  work: (index: RunIndex, links: ForeignLinks) => Promise<T>,
): Promise<T> {
  const index = new RunIndex(repository, runId)
  try {
    const unlock = await lockIndex(repository, runId, remedyFor(kind))
    const links = new ForeignLinks({
      gitDirectory: repository.gitDirectory, runId, hooks: repository.hooksDirectory,
    }, (args, ask) => repository.try(args, { ...ask, env: { ...index.env, ...ask.env } }))
    try {
      return await work(index, links)
    } finally {
      try {
        // Also after a commit that a hook refused.
        await links.leaveUsers(true)
      } finally {
        index.dispose()
        unlock()
      }
    }
  } catch (error) {
    throw uncommitted(error, kind)
  }
}

class RunCommit {
  readonly #warnings: string[] = []
  /** Commits made so far, oldest first. */
  readonly #made: string[] = []
  #head: string | undefined

  constructor(
    private readonly repository: Repository, private readonly request: CommitRequest,
    private readonly index: RunIndex, private readonly links: ForeignLinks,
  ) {}

  async make(): Promise<CommitOutcome> {
    const warnings = this.#warnings
    const nested: string[] = []
    const candidates = await candidatesOf(this.repository, this.request, nested)
    const names = [...new Set([...candidates.keys(), ...this.request.byCommands])]
    if (names.length === 0) return { nested, warnings }
    // What existed before is usually in HEAD, so that its ignore rules need not be checked.
    const isNew = (name: string): boolean => (candidates.get(name)?.before ?? { kind: 'absent' }).kind === 'absent'
    const blobs = new SavedBlobs(this.repository.objectFormat)
    const [entries, ignoredNew] = await Promise.all([
      readEntries(this.repository, names), this.#ignored(names.filter(isNew)),
      blobs.readAll(this.request.journal, candidates.values()),
    ])
    this.#head = entries.head
    const ignoredOld = await this.#ignored(names.filter((name) => !isNew(name) && !entries.committed.has(name)))
    const start = await StartEntries.read(this.repository, this.request.start, entries, names)
    const ignored = new Set([...ignoredNew, ...ignoredOld])
    const unknown = names.filter((name) => !entries.committed.has(name))
    const before = await ignoredBefore(this.repository, this.request, unknown, {
      candidates, entries, start, ignored,
    })
    const isWanted = (name: string): boolean => entries.committed.has(name) || !(ignored.has(name) || before.has(name))
    const inventory = { names: names.filter(isWanted), candidates, entries, start, blobs }
    const plan = await CommitPlan.make(this.repository, this.request, inventory)
    this.#tellLeft('git was told not to look at them (assume-unchanged, skip-worktree)', plan.unwatched)
    const unignored = [...before].filter((name) => !ignored.has(name))
    this.#tellLeft('they were ignored before the run (git add takes them up)', unignored)
    const told = { ...(plan.uncommitted.length > 0 && { uncommitted: plan.uncommitted }), nested, warnings }
    if (plan.names.length === 0) {
      warnings.push(...toldOfFiltered(plan.filtered))
      return told
    }
    await this.index.open(entries)
    try {
      return { ...await this.#commitAll(plan, entries), ...told }
    } catch (error) {
      await this.#takeBack(entries.head, plan.names)
      throw error
    }
  }

  async #commitAll(plan: CommitPlan, { committed }: GitEntries): Promise<Omit<CommitOutcome, 'nested' | 'warnings'>> {
    const base = this.#head
    await this.#save('staged before', 'What was staged of the files that the next commits change.', plan.staged)
    await this.#save('before', 'What was not committed yet of the files that the next commit changes.', plan.before)
    const before = this.#made.at(-1)
    const added = await this.#fill(plan)
    const filters = new Set([...plan.filtered.values()].map(({ at }) => at.filter))
    const taken = plan.names.filter((name) => !plan.filtered.has(name))
    for (const filter of filters) await this.index.setAside(filter, taken)
    this.#warnings.push(...toldOfFiltered(plan.filtered))
    // Known without asking git: the index has something that HEAD lacks.
    const isNew = before === undefined && plan.names.some((name) => !committed.has(name) && added.has(name))
    const commit = await this.#commit(`AI: ${this.request.subject}`, this.request.body, { isNew })
    await this.#publish(base, plan.names)
    return { ...(commit !== undefined && { commit }), ...(before !== undefined && { before }) }
  }

  /**
   * Puts what the run left into the index. Git adds files from disk while this checks whether they are still as the run
   * left them; those that are not are set afterwards.
   *
   * @returns names that git is known to have added; empty where there are many
   */
  async #fill(plan: CommitPlan): Promise<Set<string>> {
    const early = plan.present()
    const [attempt, looked] = await Promise.allSettled([this.index.tryAdd(early), plan.content()])
    const isFiltered = attempt.status === 'rejected' && attempt.reason instanceof FilterFailed
    if (attempt.status === 'rejected' && !isFiltered) throw attempt.reason
    if (looked.status === 'rejected') throw looked.reason
    const { set, add, skipped } = looked.value
    if (plan.others.length > 0) {
      this.#warnings.push(`Changed by someone else during the run: ${listed(plan.others)}. `
        + 'What the run wrote is committed, the other change is not')
    }
    await this.index.set(set)
    await this.index.skip(skipped)
    const output = attempt.status === 'fulfilled' ? attempt.value : undefined
    const known = new Set(output?.exitCode === 0 ? early : [])
    const left = await this.index.add(add.filter((name) => !known.has(name)))
    for (const [name, failed] of left) plan.filtered.set(name, failed)
    const said = new Set(output?.exitCode === 0 ? output.stdout.toString('utf8').split('\n') : [])
    return new Set(add.filter((name) => said.has(`add '${name}'`)))
  }

  /** Undoes the commit of previous work if the run's own commit is refused, so that it is uncommitted again. */
  async #takeBack(base: string | undefined, names: readonly string[]): Promise<void> {
    const head = this.#made.at(-1)
    if (head === undefined) return
    const message = ['-m', 'hermes: the commit of a run was refused']
    const target = base === undefined ? ['-d', 'HEAD', head] : ['HEAD', base, head]
    const { exitCode } = await this.repository.try([...NO_HOOKS, 'update-ref', ...message, ...target])
    if (exitCode !== 0) await this.#publish(base, names)
  }

  async #ignored(names: readonly string[]): Promise<Set<string>> {
    if (names.length === 0) return new Set()
    const ask = (some: readonly string[]) => this.repository.try(['check-ignore', '-z', '--stdin'], {
      input: nulEnded(some),
    })
    let { exitCode, stdout } = await ask(names)
    // If one of them is behind a link, git reports nothing about the others.
    if (exitCode === 128) {
      const isRemoved = removedFrom(this.repository.top);
      ({ exitCode, stdout } = await ask(names.filter((name) => !isRemoved(name))))
    }
    // Exit code 1 means that none is ignored.
    return new Set(exitCode === 0 ? nulNames(stdout) : [])
  }

  #tellLeft(reason: string, names: readonly string[]): void {
    if (names.length > 0) this.#warnings.push(`Not committed, since ${reason}: ${listed(names)}`)
  }

  /** Commits the user's own unfinished work. Hooks check it as usual, since they may be what keeps secrets out. */
  async #save(what: string, why: string, entries: CommitPlan['before']): Promise<void> {
    if (entries.size === 0) return
    await this.index.set(entries)
    const saved = `what was there before it (${listed([...entries.keys()])})`
    await this.#commit(`AI: ${what} ${this.request.subject}`, [why], { saved })
  }

  /**
   * @param what `saved`: describes previous work; `isNew`: the index is known to differ from HEAD
   * @returns full SHA; `undefined` when there is nothing to commit
   */
  async #commit(
    subject: string, body: readonly string[], { saved, isNew }: { saved?: string; isNew?: boolean },
  ): Promise<string | undefined> {
    // With nothing to commit, git would examine the whole work tree, nested repositories with their filters included.
    if (isNew !== true && await this.#isCommitted()) return undefined
    const message = [subject, '', ...body, '', `Hermes-Run: ${this.request.runId}`, ''].join('\n')
    const keepPrepared = preparedMessages(this.repository)
    const attempt = makeCommit(
      (args, input, more) => this.repository.try(args, { env: this.index.env, input, ...more }),
      { message, flags: ['--quiet'], ...this.#programs() },
    )
    const { output, isConfined } = await attempt.finally(keepPrepared)
    const head = await this.#withoutLinks(await this.repository.head())
    // Also where git fails after making the commit.
    if (head !== undefined && head !== this.#head) {
      this.#head = head
      this.#made.push(head)
      return head
    }
    if (output.exitCode !== 0 && !await this.#isCommitted()) {
      throw refused(`${output.stderr}\n${output.stdout.toString('utf8')}`, this.request.kind, {
        saved, isConfined,
      })
    }
    return undefined
  }

  /** @returns HEAD, amended if necessary to remove submodules that a hook added */
  async #withoutLinks(head: string | undefined): Promise<string | undefined> {
    if (head === undefined || head === this.#head) return head
    const added = new Set([
      ...await this.links.leaveIndex(this.index.env.GIT_INDEX_FILE), ...await this.links.leaveCommit(),
    ])
    if (added.size === 0) return head
    this.#warnings.push(toldOfForeignLinks([...added]))
    return this.repository.head()
  }

  /** Whether HEAD already has everything in the index. */
  async #isCommitted(): Promise<boolean> {
    const { exitCode } = await this.repository.try(
      ['diff-index', '--cached', '--quiet', 'HEAD', '--'], { env: this.index.env },
    )
    return exitCode === 0
  }

  /** The programs that git runs for a commit. */
  #programs(): Pick<CommitCall, 'hooks' | 'signs'> {
    const { skipHooks, hooks, journal } = this.request
    if (skipHooks) return { signs: false }
    const { top, gitDirectory, gitDirectories, hooksDirectory } = this.repository
    const kept = [join(gitDirectory, 'index')]
    const place = { top, repositories: gitDirectories, kept, hooks: hooksDirectory, scratch: join(journal, 'hooks') }
    return { hooks: { place, consent: hooks } }
  }

  /** Updates the user's index; the commit stands even if that fails. */
  async #publish(base: string | undefined, names: readonly string[]): Promise<void> {
    if (this.#made.length === 0) return
    try {
      await this.index.publish(base, this.#made)
    } catch (error) {
      this.#warnings.push(`Committed as ${this.#head}, but git's index could not be brought up to date `
        + `(${reasonOf(error)}): run git reset -q -- ${listed(names)}`)
    }
  }
}

/** What became of files whose filter failed; one line for each filter. */
function toldOfFiltered(filtered: ReadonlyMap<string, FilterFailed>): string[] {
  return [...new Set([...filtered.values()].map(({ at }) => at.filter))].map((filter) => {
    const left = [...filtered].filter(([, { at }]) => at.filter === filter)
    const [[, { code, message, hint = '' }]] = left as [[string, FilterFailed]]
    const why = code === 'NONZERO_EXIT' ? 'fails' : 'may not run'
    return `Not committed, since the filter ${filter} ${why}: ${listed(left.map(([name]) => name))} `
      + `(${message}). ${hint} The files stay as they are: commit them yourself once it works (git add, git commit)`
  })
}
