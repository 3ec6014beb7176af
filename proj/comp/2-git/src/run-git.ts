import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import {
  distrustProject, MOST_MS, nestedRun, ownEnvironment, run, trustedEnvironment,
} from '../../2-processes/src/index.js'
import { filterSettings, type FilterUse } from './filter-use.js'
import { GIT_ENVIRONMENT, GIT_SETTINGS, NO_HOOKS, NO_MODULES, settingVariables } from './git-environment.js'
import { gitFailure } from './git-failure.js'
import type { Filter, RepositoryPrograms } from './program-settings.js'
import { readPrograms } from './read-programs.js'

const MAX_STDOUT = 64 * 1024 * 1024

export interface GitRun {
  /** Messages begin with it. */
  verb: string
  cwd: string
  signal: AbortSignal
  /** Standard input; closed without it. */
  input?: string | Uint8Array
  /**
   * On top of the environment; `undefined` removes a variable. HERMES_RUN is added to that of a run around this one.
   */
  env?: Readonly<Record<string, string | undefined>>
  /** Milliseconds. Default: ten minutes. */
  timeoutMs?: number
  /** Most bytes kept of standard output; git is ended when it writes more. Default 64 MiB. */
  maxOutputBytes?: number
  /** What becomes of content filters that the repository's configuration names. Default: a file that has one fails. */
  filters?: FilterUse
  /** Hooks of the user run as they are: with the user's environment, as far as no variable of it names code. */
  hasOpenHooks?: boolean
  /** Git sees where the hooks of the repository are; it is not to run any. */
  seesHooks?: boolean
}

export interface GitOutput {
  /** `null` when a signal ended git, also where it wrote more than was kept. */
  exitCode: number | null
  stdout: Buffer
  /** At most 1 MiB; also what hooks print. */
  stderr: string
  /** There was more on standard output. */
  truncated: boolean
}

/**
 * Runs git with an argument list, never through a shell. No program that the repository's own configuration names is
 * run, but filters as `filters` says, and no hook unless the arguments name their directory. What runs below it
 * (hooks) is ended with it when the run is cancelled or takes too long. A non-zero exit is for the caller to judge.
 *
 * @param args the command and its arguments; values of a model stand after `--` or are attached to their option
 * @throws HermesError `ENOENT` without git, `CANCELLED`, `FILE_TOO_LARGE` where it holds too much memory, `TIMEOUT`
 *   also where git waits at a pipe
 */
export async function runGit(args: readonly string[], git: GitRun): Promise<GitOutput> {
  const { replaced, filters } = await programsOf(git)
  return runWith([...replaced, ...filterSettings(filters, git.filters ?? 'refused')], args, git)
}

/** Filters of a work tree that only a sandbox may run. @throws HermesError where git cannot read its configuration */
export async function heldFilters(git: GitRun): Promise<readonly Filter[]> {
  return (await programsOf(git)).filters
}

function programsOf(git: GitRun): Promise<RepositoryPrograms> {
  return readPrograms(git.cwd, async list => {
    const { HERMES_RUN: _run, GIT_DIR: _directory, GIT_WORK_TREE: _tree, ...env } = git.env ?? {}
    const { verb, cwd, signal, timeoutMs } = git
    const output = await runWith([], list, { verb, cwd, signal, env, ...(timeoutMs !== undefined && { timeoutMs }) })
    if (output.exitCode !== 0) throw gitFailure(verb, output)
    return output.stdout
  })
}

async function runWith(
  values: readonly (readonly [string, string])[], args: readonly string[], git: GitRun,
): Promise<GitOutput> {
  const { verb, cwd, signal, timeoutMs, env: { HERMES_RUN: runId, ...env } = {} } = git
  if (signal.aborted) throw cancelled(verb)
  // A program of the project is none of git's, also where nobody has said which root is worked in.
  distrustProject(cwd)
  const given = {
    ...(git.hasOpenHooks ? trustedEnvironment(process.env) : ownEnvironment(NO_MODULES)), ...GIT_ENVIRONMENT, ...env,
    ...(runId !== undefined && { HERMES_RUN: nestedRun(runId) }),
  }
  const hooks = git.seesHooks ? [] : NO_HOOKS
  const { stopped, exitCode, stdout, stderr: said, truncated } = await orNotStarted(verb, run({
    program: 'git', args: ['--no-pager', ...GIT_SETTINGS, ...hooks, ...args], cwd, leadsGroup: true, endsAtPipe: true,
    env: { ...given, ...settingVariables(values, given) },
    input: git.input ?? '', signal, timeoutMs, maxOutputBytes: git.maxOutputBytes ?? MAX_STDOUT,
  }))
  const stderr = said.toString('utf8')
  if (stopped === 'cancelled') throw cancelled(verb)
  if (stopped === 'stalled') throw waitsAtPipe(verb)
  if (stopped === 'timeout') throw tookTooLong(git, stderr)
  if (stopped === 'memory') throw tookTooMuch(verb)
  return { exitCode, stdout, stderr, truncated }
}

/** Also for too long an argument list, or one that no system takes. */
async function orNotStarted<T>(verb: string, ran: Promise<T>): Promise<T> {
  try {
    return await ran
  } catch (error) {
    throw isNodeError(error) ? notStarted(verb, error) : error
  }
}

function notStarted(verb: string, cause: Error & { code: string }): HermesError {
  const { code } = cause
  if (code !== 'ENOENT') {
    return new HermesError(code, `${verb}: git could not be started (${code})`, {
      cause, hint: 'Check that git may be executed; the user has to mend this.',
    })
  }
  return new HermesError('ENOENT', `${verb}: git not found in PATH (ENOENT)`, {
    cause, hint: 'Git is not installed here: ask the user to install it, or do without.',
  })
}

function cancelled(verb: string): HermesError {
  return new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, {
    hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

function waitsAtPipe(verb: string): HermesError {
  return new HermesError('TIMEOUT', `${verb}: git waits for a pipe that stands where it reads a file (TIMEOUT)`, {
    hint: 'Remove the pipe: find . -type p -name ".git*" shows it.',
  })
}

function tookTooMuch(verb: string): HermesError {
  return new HermesError('FILE_TOO_LARGE', `${verb}: git held too much memory, and was ended (FILE_TOO_LARGE)`, {
    hint: 'A file or a history is too large for it: work on a part of it, or ask the user to run git.',
  })
}

function tookTooLong({ verb, timeoutMs = MOST_MS }: GitRun, said: string): HermesError {
  return new HermesError('TIMEOUT', `${verb}: git took more than ${timeoutMs / 1000}s (TIMEOUT)`, {
    hint: 'It was ended with the hooks it ran. A hook or a signing program may wait for an answer that nobody gives.',
    ...(said !== '' && { data: { stderr: said } }),
  })
}
