import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HermesError, type VerbContext } from '../../0-contracts/src/index.js'
import {
  gitFailure, gitlinksAround, gitPlaces, NO_HOOKS, nulFields, parseStatus, runGit, type GitOutput, type GitRun,
  type StatusEntry,
} from '../../2-git/src/index.js'
import {
  ForeignLinks, makeCommit, runGitHoldingFilters, toldOfForeignLinks, type CommitCall,
} from '../../3-transaction/src/index.js'
import { isStaged, type Selection } from './commit-selection.js'
import { hookPlaces, noteChangedHooks, type HookPlaces } from './hook-places.js'
import { literal, type OpenedRepository } from './open-repository.js'

/** Hooks that can refuse a commit, in the order they run. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg']
const HINT_LINES = 5

/** Filters of a repository's own configuration, not of the user's. */
const OWN_SCOPES = new Set(['local', 'worktree'])

/** Time limit for each run of git that must not be cancelled any more, in milliseconds. */
const FINISH_MS = 30_000
/** Otherwise git would run itself, with their filters, in each repository inside the work tree. */
const IGNORED_IN_REPOSITORIES = '--ignore-submodules=dirty'
/** Passes long lists of paths by standard input. */
const PATHS_FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul']

export interface CommitMade {
  hash: string
  subject: string
  files: string[]
  hooks_skipped?: true
}

type CommitContext = Pick<
  VerbContext, 'advise' | 'approve' | 'gate' | 'limits' | 'policy' | 'runId' | 'sandbox' | 'session' | 'signal'
>

/**
 * The git commands of one commit. Unlike reading verbs they run what the user has set up: hooks (in the sandbox),
 * filters, signing; but no hooks that a verb may have written.
 */
export class CommitRun {
  readonly #links: ForeignLinks

  private constructor(
    private readonly repository: OpenedRepository,
    readonly where: Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs' | 'env'>,
    private readonly hooks: HookPlaces, private readonly context: CommitContext,
  ) {
    const place = { gitDirectory: repository.gitDirectory, runId: context.runId }
    this.#links = new ForeignLinks(place, (args, ask) => (
      this.#run(args, { ...this.#finishing(), ...ask, env: { ...this.#english(), ...ask.env } })
    ))
  }

  static async open(
    repository: OpenedRepository, context: CommitContext,
  ): Promise<CommitRun> {
    const { signal, limits, runId } = context
    const where = {
      verb: 'git_commit', cwd: repository.top, signal, timeoutMs: limits.commandTimeoutMs, env: { HERMES_RUN: runId },
    }
    return new CommitRun(repository, where, await hookPlaces(repository, where, context), context)
  }

  /** All changes in the whole work tree; a rename shows as a deletion and an addition. */
  async status(): Promise<StatusEntry[]> {
    const { stdout } = await this.#git([
      'status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', IGNORED_IN_REPOSITORIES,
    ])
    return parseStatus(stdout).entries
  }

  /** All files in the index, from the top. */
  async tracked(): Promise<ReadonlySet<string>> {
    const { stdout } = await this.#git(['ls-files', '-z'])
    return new Set(nulFields(stdout))
  }

  /** @param flags what to commit; without any, the index */
  async commit(message: string, flags: readonly string[], input?: string): Promise<CommitMade> {
    await this.#requireIdentity()
    await requirePlainRepositories(this.repository.top, this.where)
    const { output } = await makeCommit(
      (args, given, more) => this.#run(args, { ...this.where, input: given, ...more }),
      { message, flags, input, ...await this.#hookCall(flags.length > 0) },
    )
    await this.#removeLinks(output.exitCode === 0)
    if (output.exitCode !== 0) throw await commitRefused(output, this.where, this.hooks.skipped)
    return this.#made()
  }

  /** Commits these paths as they are in the work tree, and nothing else. If that fails, restores the index. */
  async commitOnly(
    message: string, { changed, added }: Selection, entries: readonly StatusEntry[],
  ): Promise<CommitMade> {
    let made: CommitMade
    try {
      if (added.length > 0) await this.#git(['add', '--intent-to-add', ...PATHS_FROM_INPUT], pathspecs(added))
      made = await this.commit(message, ['--only', ...PATHS_FROM_INPUT], pathspecs(changed))
    } catch (error) {
      if (added.length > 0) await this.#reset(added)
      throw error
    }
    await this.#takeOver(changed, entries)
    return made
  }

  /**
   * Updates the index to the commit, except for paths that were staged and not named: a hook may have changed the
   * commit in a temporary index that git discarded.
   */
  async #takeOver(changed: readonly string[], entries: readonly StatusEntry[]): Promise<void> {
    const kept = new Set(entries.filter(isStaged).map(({ path }) => path))
    for (const path of changed) kept.delete(path)
    const { stdout } = await this.#finish(['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff'])
    const stale = nulFields(stdout).filter(path => !kept.has(path))
    if (stale.length > 0) await this.#reset(stale)
  }

  /** Resets these paths in the index to the last commit; leaves the work tree alone. */
  async #reset(paths: readonly string[]): Promise<void> {
    await this.#finish(['reset', '--quiet', ...PATHS_FROM_INPUT], pathspecs(paths))
  }

  async #requireIdentity(): Promise<void> {
    for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
      const output = await this.#try(['var', name])
      if (output.exitCode !== 0) throw noIdentity(output)
    }
  }

  async #made(): Promise<CommitMade> {
    const { stdout } = await this.#finish([
      'log', '-1', '-z', '--no-show-signature', '--encoding=UTF-8', '--format=%H%x00%s',
    ])
    const [hash = '', subject = ''] = nulFields(stdout)
    const changed = await this.#finish([
      'diff-tree', '-r', '-z', '--root', '--no-commit-id', '--name-only', '--no-renames', hash, '--',
    ])
    await noteChangedHooks(this.hooks, this.#finishing())
    return {
      hash, subject, files: nulFields(changed.stdout).map(path => this.repository.shown(path)),
      ...(this.hooks.skipped && { hooks_skipped: true as const }),
    }
  }

  async #git(args: readonly string[], input?: string, where = this.where): Promise<GitOutput> {
    const output = await this.#try(args, input, where)
    if (output.exitCode !== 0) throw gitFailure('git_commit', output)
    return output
  }

  /** Runs a command that completes a commit, or cleans up after a failed one, even once the run is cancelled. */
  #finish(args: readonly string[], input?: string): Promise<GitOutput> {
    return this.#git(args, input, this.#finishing())
  }

  #english(): Record<string, string | undefined> {
    return { ...this.where.env, LC_ALL: 'C' }
  }

  /** Without hooks, as every command but the commit itself: `git commit` is not the only one that runs hooks. */
  #try(args: readonly string[], input?: string, where = this.where): Promise<GitOutput> {
    return this.#run([...NO_HOOKS, ...args], { ...where, env: this.#english(), input })
  }

  #run(args: readonly string[], git: GitRun): Promise<GitOutput> {
    const { policy, sandbox, approve, session } = this.context
    const { top } = this.repository
    return runGitHoldingFilters(args, git, {
      consent: { sandbox, approve, network: policy.verbs.network.value === 'on' },
      place: { top, repositories: gitPlaces(top).repositories, scratch: join(session.root, '.hermes', 'filters') },
    })
  }

  #finishing(): CommitRun['where'] {
    return { ...this.where, signal: new AbortController().signal, timeoutMs: FINISH_MS }
  }

  /** Removes submodules that a hook added from commit and index. */
  async #removeLinks(isCommitted: boolean): Promise<void> {
    const inCommit = isCommitted ? await this.#links.leaveCommit() : []
    const added = new Set([...inCommit, ...await this.#links.leaveUsers(false)])
    if (added.size > 0) this.context.advise?.(toldOfForeignLinks([...added]))
  }

  /** @param keepsIndex hooks work on an index of their own */
  async #hookCall(keepsIndex: boolean): Promise<Pick<CommitCall, 'hooks'>> {
    if (this.hooks.skipped) return {}
    const { policy, runId, sandbox, approve, session } = this.context
    const { stdout } = await runGit(['rev-parse', '--git-path', 'hooks'], { ...this.where, seesHooks: true })
    const { top } = this.repository
    const place = {
      top, repositories: gitPlaces(top).repositories, hooks: resolve(top, stdout.toString('utf8').replace(/\n$/, '')),
      scratch: join(session.root, '.hermes', 'hooks', runId),
      ...(keepsIndex && { kept: [join(this.repository.gitDirectory, 'index')] }),
    }
    return { hooks: { place, consent: { sandbox, approve, network: policy.verbs.network.value === 'on' } } }
  }
}

function pathspecs(paths: readonly string[]): string {
  return paths.map(literal).join('\0')
}

/**
 * Git may look into the repositories in a work tree, and their configuration, which a command can have written, then
 * names programs (`filter.NAME.clean`).
 *
 * @throws HermesError `POLICY_DENIED` where one of them names any
 */
async function requirePlainRepositories(top: string, where: Omit<GitRun, 'cwd'>): Promise<void> {
  const run = { ...where, cwd: top }
  for (const path of gitlinksAround(top) ?? []) {
    if (!existsSync(join(path, '.git'))) continue
    const filters = await runGit(
      ['config', '--null', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'], { ...run, cwd: path },
    )
    const fields = nulFields(filters.stdout)
    const own = fields.findIndex((scope, index) => index % 2 === 0 && OWN_SCOPES.has(scope))
    if (own !== -1) throw new HermesError(
      'POLICY_DENIED', `git_commit: the repository in ${path} names a program to be run: ${fields[own + 1] ?? ''}`,
      { hint: 'Only the user can commit here, or remove that setting.' },
    )
    await requirePlainRepositories(path, where)
  }
}

/**
 * The error for a failed `git commit`, usually because of a hook. The hint has the end of its output, the data all of
 * it.
 */
async function commitRefused(
  output: GitOutput, where: Omit<GitRun, 'input'>, hooksSkipped: boolean,
): Promise<HermesError> {
  const { exitCode, stderr } = output
  const stdout = output.stdout.toString('utf8')
  const data = { exit_code: exitCode, stdout, stderr }
  if (/^(nothing|no changes) (added )?to commit/m.test(stdout)) {
    return new HermesError('NOTHING_TO_COMMIT', 'git_commit: nothing to commit: git finds no change in content', {
      hint: 'Only times or line endings differ, or a hook took the changes back. There is nothing to do.', data,
    })
  }
  const hooks = hooksSkipped ? [] : await hooksThere(where)
  const by = hooks.length === 0 ? 'git' : `git or a hook (${hooks.join(', ')})`
  const said = `${stderr}${stdout}`.split(/\r?\n/).map(line => line.trim()).filter(line => line !== '')
    .slice(-HINT_LINES).join(' | ')
  return new HermesError(
    'NONZERO_EXIT',
    `git_commit: ${by} refused the commit (exit code ${exitCode ?? 'none'}); nothing was committed`,
    {
      hint: said === '' ? 'It printed nothing. Ask the user what the hook wants.' : `It printed: ${said}`,
      data,
    },
  )
}

function noIdentity({ stderr }: GitOutput): HermesError {
  return new HermesError('NO_IDENTITY', 'git_commit: git does not know who commits', {
    hint: 'The user has to say it once: git config --global user.name NAME; git config --global user.email ADDRESS.',
    data: { stderr },
  })
}

async function hooksThere(where: Omit<GitRun, 'input'>): Promise<string[]> {
  const { stdout, exitCode } = await runGit(['rev-parse', '--git-path', 'hooks'], { ...where, seesHooks: true })
  if (exitCode !== 0) return []
  const directory = resolve(where.cwd, stdout.toString('utf8').replace(/\n$/, ''))
  return HOOKS.filter(name => existsSync(join(directory, name)))
}
