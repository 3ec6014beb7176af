import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { upwards } from '../../../2-files/src/index.js'
import { gitFailure, operationInProgress, runGit, type GitOutput, type GitRun } from '../../../2-git/src/index.js'
import { requireOwnRepository, type HookConsent } from '../../../2-sandbox/src/index.js'
import { runGitHoldingFilters, type FilterConsent } from './held-filters.js'

/** Time limit for git with its hooks and signing program, in milliseconds. */
const GIT_TIMEOUT_MS = 10 * 60_000

type Ask = Partial<Pick<GitRun, 'input' | 'env' | 'maxOutputBytes' | 'hasOpenHooks'>>

/** By root of a run: where filters of its repository run. */
const filterConsents = new Map<string, HookConsent>()

/** Sets where filters of the repository of a root run; without a consent none runs. */
export function holdFiltersOf(root: string, consent: HookConsent | undefined): void {
  if (consent) filterConsents.set(root, consent)
}

/** The work tree of a root, and how git is run in it. Git commands are not cancelled with the run. */
export class Repository {
  #trusted: Promise<{ modes: boolean; links: boolean }> | undefined

  /**
   * @param root of the run, inside the work tree
   * @param top directory of the work tree; absolute, as the next two
   * @param gitDirectory git's directory for it
   * @param hooksDirectory directory of its hooks
   * @param objectFormat `sha1` or `sha256`
   */
  constructor(
    private readonly root: string, readonly top: string, readonly gitDirectory: string,
    readonly hooksDirectory: string, readonly objectFormat: string,
  ) {}

  /** @returns git's output, whatever its exit code */
  try(args: readonly string[], ask: Ask = {}): Promise<GitOutput> {
    const signal = new AbortController().signal
    return runGitHoldingFilters(args, {
      verb: 'git', cwd: this.top, signal, timeoutMs: GIT_TIMEOUT_MS, ...ask, env: { LC_ALL: 'C', ...ask.env },
    }, this.#filterConsent())
  }

  /** @throws HermesError when git fails */
  async run(args: readonly string[], ask: Ask = {}): Promise<Buffer> {
    const output = await this.try(args, ask)
    if (output.exitCode !== 0) throw gitFailure('git', output)
    return output.stdout
  }

  #filterConsent(): FilterConsent | undefined {
    const consent = filterConsents.get(this.root)
    const scratch = join(this.root, '.hermes', 'filters')
    return consent && { consent, place: { top: this.top, repositories: this.gitDirectories, scratch } }
  }

  /** Full SHA of HEAD; `undefined` on an unborn branch. */
  async head(): Promise<string | undefined> {
    return readHead(this.gitDirectory) ?? this.resolve('HEAD^{commit}')
  }

  /** The object that a name stands for; `undefined` where it stands for none. */
  async resolve(name: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.try(['rev-parse', '--verify', '--quiet', name])
    return exitCode === 0 ? stdout.toString('utf8').trim() : undefined
  }

  /**
   * Full name of the current branch; `undefined` on a detached HEAD.
   *
   * @throws HermesError when git fails
   */
  async branch(): Promise<string | undefined> {
    const named = readBranch(this.gitDirectory)
    if (named !== undefined && readHead(this.gitDirectory) !== undefined) return named
    const output = await this.try(['symbolic-ref', '--quiet', 'HEAD'])
    if (output.exitCode === 0) return output.stdout.toString('utf8').trimEnd()
    if (output.exitCode === 1) return undefined
    throw gitFailure('git', output)
  }

  /** Git's name for a path, with `/`; `undefined` outside the work tree and in git's own directory. */
  pathOf(absolute: string): string | undefined {
    const below = relative(this.top, absolute)
    if (below === '' || below === '..' || below.startsWith(`..${sep}`) || resolve(this.top, below) !== absolute) {
      return undefined
    }
    const names = below.split(sep)
    return names.some((name) => name.toLowerCase() === '.git') ? undefined : names.join('/')
  }

  /** Git's directory for this work tree, and the one shared with other work trees; links resolved. */
  get gitDirectories(): string[] {
    const common = resolve(this.gitDirectory, firstLine(join(this.gitDirectory, 'commondir')))
    return [...new Set([this.gitDirectory, common].map((path) => orNothing(() => realpathSync.native(path), path)))]
  }

  /** Whether git relies on the file system for executable bits and links. */
  trusted(): Promise<{ modes: boolean; links: boolean }> {
    this.#trusted ??= (async () => {
      const { stdout } = await this.try([
        'config', '--type=bool', '--get-regexp', String.raw`^core\.(filemode|symlinks)$`,
      ])
      const lines = stdout.toString('utf8').split('\n')
      const isOn = (name: string): boolean => lines.findLast((line) => line.startsWith(`${name} `)) !== `${name} false`
      return { modes: isOn('core.filemode'), links: isOn('core.symlinks') }
    })()
    return this.#trusted
  }

  /** Name of an unfinished operation such as a merge, during which no commit can be made. */
  operation(): string | undefined {
    const operation = operationInProgress(this.gitDirectory)
    return operation === 'bisect' ? undefined : operation
  }

  /** Whether the work tree is, or was, a sparse checkout, so that tracked files may be missing. */
  isSparse(): boolean {
    return existsSync(join(this.gitDirectory, 'info', 'sparse-checkout'))
  }

  /** A hash that changes whenever a hook or the repository's configuration does. */
  programsDigest(): string {
    const digest = createHash('sha256')
    const configs = ['config', 'config.worktree'].map((name) => join(this.gitDirectory, name))
    const hooks = orNothing(() => readdirSync(this.hooksDirectory), []).filter((name) => !name.endsWith('.sample'))
    for (const file of [...configs, ...hooks.sort().map((name) => join(this.hooksDirectory, name))]) {
      digest.update(`${file}\0`).update(contentOf(file)).update('\0')
    }
    return digest.digest('hex')
  }
}

/**
 * The repository of a directory. Runs git only if there may be one.
 *
 * @returns `undefined` outside any work tree
 * @throws HermesError when git refuses the repository, or is missing; as `requireOwnRepository`
 */
export async function findRepository(directory: string): Promise<Repository | undefined> {
  const holder = upwards(directory).find(holdsRepository)
  if (holder === undefined) return undefined
  const signal = new AbortController().signal
  const output = await runGit(
    [
      'rev-parse', '--is-inside-work-tree', '--show-object-format', '--show-toplevel', '--absolute-git-dir',
      '--git-path', 'hooks',
    ],
    { verb: 'git', cwd: directory, signal, timeoutMs: GIT_TIMEOUT_MS, env: { LC_ALL: 'C' }, seesHooks: true },
  )
  if (output.exitCode !== 0) {
    // In a bare repository, or in git's own directory, there is nothing to commit.
    if (/must be run in a work tree/.test(output.stderr)) return undefined
    throw gitFailure('git', output)
  }
  const [, objectFormat = 'sha1', top = '', gitDirectory = '', hooks = ''] = output.stdout.toString('utf8').split('\n')
  if (!existsSync(top) || !existsSync(gitDirectory)) {
    throw new HermesError('INVALID_OPTION', `git: the repository's path cannot be read: ${JSON.stringify(top)}`, {
      hint: 'Run without git (--no-git).',
    })
  }
  if (realpathSync.native(top) !== realpathSync.native(holder)) {
    const message = `git: core.worktree of the repository in ${holder} puts its work tree at ${top}`
    throw new HermesError('INVALID_OPTION', message, {
      hint: 'What lies there is not the repository\'s: unset core.worktree, or run without git (--no-git).',
    })
  }
  requireOwnRepository('git', { top, gitDirectory }, { root: directory, isOpen: () => false })
  return new Repository(directory, top, gitDirectory, resolve(directory, hooks), objectFormat)
}

/** An empty `.git` is no repository to git; the sandbox creates one for the duration of a command. */
function holdsRepository(directory: string): boolean {
  const git = join(directory, '.git')
  return existsSync(git) && !(statSync(git).isDirectory() && readdirSync(git).length === 0)
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Full SHA of HEAD from two small files, if they tell it: starting git takes longer. */
function readHead(gitDirectory: string): string | undefined {
  const head = firstLine(join(gitDirectory, 'HEAD'))
  if (OBJECT_ID.test(head)) return head
  const branch = readBranch(gitDirectory)
  if (branch === undefined) return undefined
  // All work trees of a repository share its branches.
  const common = resolve(gitDirectory, firstLine(join(gitDirectory, 'commondir')))
  const object = firstLine(join(common, branch))
  return OBJECT_ID.test(object) ? object : undefined
}

function readBranch(gitDirectory: string): string | undefined {
  return /^ref: (refs\/heads\/.+)$/.exec(firstLine(join(gitDirectory, 'HEAD')))?.[1]
}

function firstLine(file: string): string {
  return Buffer.from(contentOf(file)).toString('utf8').split('\n', 1)[0] ?? ''
}

function contentOf(file: string): Uint8Array {
  return orNothing(() => statSync(file).isFile() ? readFileSync(file) : new Uint8Array(), new Uint8Array())
}
