import { spawn } from 'node:child_process'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { watchForStall } from '../../files/src/index.js'
import { trustedEnvironment } from '../../policy/src/index.js'
import { endGroup, HAS_GROUPS } from './end-group.js'
import { GIT_ENVIRONMENT, GIT_SETTINGS } from './environment.js'
import { keepOutput, type KeptOutput } from './kept-output.js'

/**
 * Longest pause in output once git itself is gone: a process that a hook left behind may hold the pipe. Milliseconds.
 */
const DRAIN_MS = 500
const MAX_STDOUT = 64 * 1024 * 1024
const MAX_STDERR = 1024 * 1024

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
export async function runGit(args: readonly string[], run: GitRun): Promise<GitOutput> {
  if (run.signal.aborted) throw cancelled(run.verb)
  const child = start(args, run)
  const { pid } = child
  if (pid === undefined) throw notStarted(run.verb, await new Promise<Error>(resolve => child.once('error', resolve)))
  // It may end without having read all of its input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(run.input)
  const stdout = keepOutput(child.stdout, run.maxOutputBytes ?? MAX_STDOUT)
  const stderr = keepOutput(child.stderr, MAX_STDERR)
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const stopped = await firstOf(pid, exited, stdout.full, run)
  if (stopped !== undefined) await endGroup(pid, exited)
  await drain(closed, [stdout, stderr])
  child.stdout.destroy()
  child.stderr.destroy()
  if (stopped === 'cancelled') throw cancelled(run.verb)
  if (stopped === 'stalled') throw waitsAtPipe(run.verb)
  if (stopped === 'timeout') throw tookTooLong(run, stderr.bytes())
  return {
    exitCode: child.exitCode, stdout: stdout.bytes(), stderr: stderr.bytes().toString('utf8'),
    truncated: stdout.overflowed(),
  }
}

/** Not through execa: a commit runs git several times, and what execa does besides takes as long as git itself. */
function start(args: readonly string[], { verb, cwd, env }: GitRun) {
  try {
    return spawn('git', ['--no-pager', ...GIT_SETTINGS, ...args], {
      cwd, detached: HAS_GROUPS, stdio: 'pipe', windowsHide: true,
      env: { ...trustedEnvironment(process.env), ...GIT_ENVIRONMENT, ...env, ...nestedMark(env?.['HERMES_RUN']) },
    })
  } catch (error) {
    // Too long an argument list, or one that no system takes.
    throw notStarted(verb, error)
  }
}

/** Where hermes runs hermes, both find by it what belongs to their run. */
function nestedMark(mark: string | undefined): { HERMES_RUN?: string } {
  const outer = process.env['HERMES_RUN']
  return mark === undefined || outer === undefined ? {} : { HERMES_RUN: `${outer}:${mark}` }
}

/** Waits until the pipes are closed, or nothing comes from them any more. */
async function drain(closed: Promise<void>, outputs: readonly KeptOutput[]): Promise<void> {
  for (let before = -1; piecesOf(outputs) !== before;) {
    before = piecesOf(outputs)
    const isClosed = await Promise.race([closed.then(() => true), sleep(DRAIN_MS, false, { ref: false })])
    if (isClosed) return
    // After other work that took long, the timer is due before what has arrived meanwhile is read.
    await nextTurn()
  }
}

function piecesOf(outputs: readonly KeptOutput[]): number {
  return outputs.reduce((sum, output) => sum + output.pieces(), 0)
}

type Stop = 'cancelled' | 'timeout' | 'stalled' | 'full' | undefined

async function firstOf(
  pid: number, exited: Promise<void>, full: Promise<void>, { signal, timeoutMs }: GitRun,
): Promise<Stop> {
  const done = new AbortController()
  const options = { signal: done.signal }
  const cancelledFirst = new Promise<Stop>(resolve => {
    signal.addEventListener('abort', () => resolve('cancelled'), options)
    if (signal.aborted) resolve('cancelled')
  })
  const waits: Promise<Stop>[] = [exited.then(() => undefined), full.then(() => 'full' as const), cancelledFirst]
  let timer: NodeJS.Timeout | undefined
  if (timeoutMs !== undefined) {
    waits.push(new Promise(resolve => {
      timer = setTimeout(() => resolve('timeout'), Math.min(timeoutMs, 2 ** 31 - 1))
    }))
  }
  let unwatch = (): void => undefined
  waits.push(new Promise(resolve => {
    unwatch = watchForStall(pid, () => resolve('stalled'))
  }))
  try {
    return await Promise.race(waits)
  } finally {
    unwatch()
    clearTimeout(timer)
    done.abort()
  }
}

function notStarted(verb: string, cause: unknown): HermesError {
  const code = isNodeError(cause) ? cause.code : 'INTERNAL'
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

function tookTooLong({ verb, timeoutMs = 0 }: GitRun, stderr: Buffer): HermesError {
  const said = stderr.toString('utf8')
  return new HermesError('TIMEOUT', `${verb}: git took more than ${timeoutMs / 1000}s (TIMEOUT)`, {
    hint: 'It was ended with the hooks it ran. A hook or a signing program may wait for an answer that nobody gives.',
    ...(said !== '' && { data: { stderr: said } }),
  })
}
