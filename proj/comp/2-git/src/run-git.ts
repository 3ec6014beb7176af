import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { nestedRun, ownEnvironment, run } from '../../2-processes/src/index.js'
import { GIT_ENVIRONMENT, GIT_SETTINGS } from './git-environment.js'

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
  /** Milliseconds. Default: none. */
  timeoutMs?: number
  /** Most bytes kept of standard output; git is ended when it writes more. Default 64 MiB. */
  maxOutputBytes?: number
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
 * Runs git with an argument list, never through a shell. What runs below it (hooks) is ended with it when the run is
 * cancelled or takes too long. A non-zero exit is for the caller to judge.
 *
 * @param args the command and its arguments; values of a model stand after `--` or are attached to their option
 * @throws HermesError `ENOENT` without git, `CANCELLED`, `TIMEOUT` also where git waits at a pipe
 */
export async function runGit(args: readonly string[], git: GitRun): Promise<GitOutput> {
  const { verb, cwd, signal, timeoutMs, env: { HERMES_RUN: runId, ...env } = {} } = git
  if (signal.aborted) throw cancelled(verb)
  const { stopped, exitCode, stdout, stderr: said, truncated } = await orNotStarted(verb, run({
    program: 'git', args: ['--no-pager', ...GIT_SETTINGS, ...args], cwd, leadsGroup: true, endsAtPipe: true,
    env: ownEnvironment({ ...GIT_ENVIRONMENT, ...env, ...(runId !== undefined && { HERMES_RUN: nestedRun(runId) }) }),
    input: git.input ?? '', signal, timeoutMs, maxOutputBytes: git.maxOutputBytes ?? MAX_STDOUT,
  }))
  const stderr = said.toString('utf8')
  if (stopped === 'cancelled') throw cancelled(verb)
  if (stopped === 'stalled') throw waitsAtPipe(verb)
  if (stopped === 'timeout') throw tookTooLong(git, stderr)
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

function tookTooLong({ verb, timeoutMs = 0 }: GitRun, said: string): HermesError {
  return new HermesError('TIMEOUT', `${verb}: git took more than ${timeoutMs / 1000}s (TIMEOUT)`, {
    hint: 'It was ended with the hooks it ran. A hook or a signing program may wait for an answer that nobody gives.',
    ...(said !== '' && { data: { stderr: said } }),
  })
}
