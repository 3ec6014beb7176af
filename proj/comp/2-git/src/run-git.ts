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
  /** The verb or command that git is run for: messages begin with it. */
  verb: string
  cwd: string
  signal: AbortSignal
  /** Standard input; closed if absent. */
  input?: string | Uint8Array | undefined
  /** Variables on top of the environment; `undefined` removes one. HERMES_RUN is appended to that of an outer run. */
  env?: Readonly<Record<string, string | undefined>>
  /** Time limit in milliseconds. Default: ten minutes. */
  timeoutMs?: number | undefined
  /** Most bytes of standard output to keep; git is killed when it writes more. Default 64 MiB. */
  maxOutputBytes?: number
  /** What becomes of content filters that the repository's own configuration names. Default: a file with one fails. */
  filters?: FilterUse
  /** Hooks of the user run with the user's environment, except variables that name code. */
  hasOpenHooks?: boolean
  /** Git knows where the repository's hooks are, but must not run any. */
  seesHooks?: boolean
}

export interface GitOutput {
  /** `null` when a signal ended git, also where it wrote too much. */
  exitCode: number | null
  stdout: Buffer
  /** At most 1 MiB; includes output of hooks. */
  stderr: string
  /** Standard output was longer. */
  truncated: boolean
}

/**
 * Runs git with an argument list, never through a shell. No program of the repository's own configuration runs, except
 * filters according to `filters`, and no hook unless the arguments name their directory. Hooks are killed with git when
 * the run is cancelled or takes too long. The caller judges a non-zero exit.
 *
 * @param args command and arguments; values of a model come behind `--` or attached to their option
 * @throws HermesError `ENOENT` without git, `CANCELLED`, `FILE_TOO_LARGE` where it uses too much memory, `TIMEOUT` also
 *   where git waits at a pipe
 */
export async function runGit(args: readonly string[], git: GitRun): Promise<GitOutput> {
  const { replaced, filters } = await programsOf(git)
  return runWith([...replaced, ...filterSettings(filters, git.filters ?? 'refused')], args, git)
}

/**
 * Filters of the repository's own configuration: only a sandbox may run them.
 *
 * @throws HermesError where git cannot read its configuration
 */
export async function heldFilters(git: GitRun): Promise<readonly Filter[]> {
  return (await programsOf(git)).filters
}

/** The programs that the repository's own configuration names: git lists them, which runs none. */
function programsOf(git: GitRun): Promise<RepositoryPrograms> {
  return readPrograms(git.cwd, async args => {
    const { HERMES_RUN: _run, GIT_DIR: _directory, GIT_WORK_TREE: _tree, ...env } = git.env ?? {}
    const { verb, cwd, signal, timeoutMs } = git
    const output = await runWith([], args, { verb, cwd, signal, env, timeoutMs })
    if (output.exitCode !== 0) throw gitFailure(verb, output)
    return output.stdout
  })
}

/** @param settings of git, by variables of its environment, so that what it starts has them too */
async function runWith(
  settings: readonly (readonly [name: string, value: string])[], args: readonly string[], git: GitRun,
): Promise<GitOutput> {
  const { verb, cwd, signal, timeoutMs, env: { HERMES_RUN: runId, ...env } = {} } = git
  if (signal.aborted) throw cancelled(verb)
  // Git must not be a program of the project, even where no root is known yet.
  distrustProject(cwd)
  const environment = {
    ...(git.hasOpenHooks ? trustedEnvironment(process.env) : ownEnvironment(NO_MODULES)), ...GIT_ENVIRONMENT, ...env,
    ...(runId !== undefined && { HERMES_RUN: nestedRun(runId) }),
  }
  const hooks = git.seesHooks ? [] : NO_HOOKS
  const { stopped, exitCode, stdout, stderr: bytes, truncated } = await run({
    program: 'git', args: ['--no-pager', ...GIT_SETTINGS, ...hooks, ...args], cwd, leadsGroup: true, endsAtPipe: true,
    env: { ...environment, ...settingVariables(settings, environment) },
    input: git.input ?? '', signal, timeoutMs, maxOutputBytes: git.maxOutputBytes ?? MAX_STDOUT,
  }).catch((error: unknown) => {
    throw notStarted(verb, error)
  })
  const stderr = bytes.toString('utf8')
  // Ctrl-C at a terminal can reach git before it leads a group of its own: then a signal has ended it already.
  if (stopped === 'cancelled' || (exitCode === null && signal.aborted)) throw cancelled(verb)
  if (stopped === 'timeout') throw tookTooLong(git, stderr)
  if (stopped === 'stalled') {
    throw new HermesError('TIMEOUT', `${verb}: git waits for a pipe that stands where it reads a file (TIMEOUT)`, {
      hint: 'Remove the pipe: find . -type p -name ".git*" shows it.',
    })
  }
  if (stopped === 'memory') {
    throw new HermesError('FILE_TOO_LARGE', `${verb}: git held too much memory, and was ended (FILE_TOO_LARGE)`, {
      hint: 'A file or a history is too large for it: work on a part of it, or ask the user to run git.',
    })
  }
  return { exitCode, stdout, stderr, truncated }
}

/** Why git did not start: it is not there, or the argument list is too long, or none that a system takes. */
function notStarted(verb: string, cause: unknown): unknown {
  if (!isNodeError(cause)) return cause
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

function tookTooLong({ verb, timeoutMs = MOST_MS }: GitRun, stderr: string): HermesError {
  return new HermesError('TIMEOUT', `${verb}: git took more than ${timeoutMs / 1000}s (TIMEOUT)`, {
    hint: 'It was ended with the hooks it ran. A hook or a signing program may wait for an answer that nobody gives.',
    ...(stderr !== '' && { data: { stderr } }),
  })
}
