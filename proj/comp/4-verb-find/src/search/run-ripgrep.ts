import { caughtLater, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { nameOfBytes } from '../../../0-text/src/index.js'
import { ownEnvironment, run } from '../../../2-processes/src/index.js'
import { checkSignal } from '../../../2-files/src/index.js'

/** Most bytes kept of ripgrep's error output. */
const MOST_COMPLAINTS = 1 << 16
/** Memory limit for the lines and expressions of one search, without the program itself. */
const MOST_MEMORY_KIB = 192 * 1024
/** Times to end it, in milliseconds; it may be in the middle of a large file. */
const TIMES = { grace: 5000, kill: 5000 }

/** Receives ripgrep's output. */
export interface RipgrepSink {
  /** Whether it needs no more. */
  isFull(): boolean
  push(piece: Buffer): void
  /** Called after the last piece. */
  end(): void
}

/**
 * Runs ripgrep until it ends, or kills it when its reader is full.
 *
 * @returns its standard error; `undefined` where it cannot be started, or hangs; `'memory'` where a line exceeds its
 * memory limit
 * @throws HermesError `CANCELLED`; `TIMEOUT` after the time limit of commands
 */
export async function runRipgrep(
  program: string, args: readonly string[], cwd: string, sink: RipgrepSink,
  { signal, limits }: Pick<VerbContext, 'signal' | 'limits'>,
): Promise<{ complained: string } | 'memory' | undefined> {
  checkSignal(signal)
  const ran = await caughtLater(isNodeError, () => run({
    ...bounded(program, args), cwd, env: ownEnvironment(), signal, timeoutMs: limits.commandTimeoutMs, endsAtPipe: true,
    endsWithHermes: true, times: TIMES,
    onOutput(piece) {
      if (!sink.isFull()) sink.push(piece)
      return !sink.isFull()
    },
  }), () => undefined)
  checkSignal(signal)
  if (ran === undefined || ran.stopped === 'stalled') return undefined
  if (ran.stopped === 'memory') return 'memory'
  if (ran.stopped === 'timeout') {
    throw new HermesError('TIMEOUT', `search_files: stopped after ${limits.commandTimeoutMs / 1000}s`, {
      hint: 'Write a narrower path or pattern.',
    })
  }
  if (!sink.isFull()) sink.end()
  const complained = nameOfBytes(ran.stderr.subarray(0, MOST_COMPLAINTS))
  return /^memory allocation of \d+ bytes failed/m.test(complained) ? 'memory' : { complained }
}

/** Limits ripgrep's memory by the system: it holds each line whole, however long. */
function bounded(program: string, args: readonly string[]): { program: string; args: readonly string[] } {
  if (process.platform !== 'linux') return { program, args }
  // Otherwise a shell would switch back to the real user.
  const keepsUser = process.getuid?.() === process.geteuid?.() ? [] : ['-p']
  return {
    program: '/bin/sh',
    args: [...keepsUser, '-c', `ulimit -d ${MOST_MEMORY_KIB}; exec "$0" "$@"`, program, ...args],
  }
}
