import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { whenHermesExits } from './at-exit.js'
import type { EndingTimes } from './end-processes.js'
import { firstStop, type Bounds } from './first-stop.js'
import { keepOutput, type KeptOutput } from './kept-output.js'
import { start, type ProgramStart } from './start.js'
import { MOST_MEMORY_BYTES, watchMemory } from './watch-memory.js'
import { watchForStall } from './watch-for-stall.js'

/** Longest pause in output once the program itself is gone: what it left behind may hold the pipe. Milliseconds. */
const DRAIN_MS = 500
const MOST_BYTES = 1024 * 1024
/** Whatever runs to its end ends within this where nobody says how long it may take. Milliseconds. */
export const MOST_MS = 10 * 60_000

/** A program that is run to its end. */
export interface ProgramRun extends Omit<ProgramStart, 'stdio' | 'outlivesHermes'>, Bounds {
  /** Default: ten minutes. */
  timeoutMs?: number | undefined
  /** Standard input, through a pipe. Default: nothing to read. */
  input?: string | Uint8Array
  /** Most bytes kept of standard output; the program is ended when it writes more. Default 1 MiB. */
  maxOutputBytes?: number | undefined
  /** Takes standard output in place of keeping it; the program is ended at `false`. */
  onOutput?: (piece: Buffer) => boolean
  /** Bytes it may hold with all that it starts (Linux). Default: 8 GiB, at most three quarters of the machine's. */
  mostMemoryBytes?: number
  /** It is ended where it waits at a pipe that nobody writes to (Linux). Default false. */
  endsAtPipe?: boolean
  /** It is killed when hermes exits. Default false: git has to remove its lock files. */
  endsWithHermes?: boolean
  /** Default: a second each. */
  times?: EndingTimes
}

export interface RunOutcome {
  /** `null` when a signal ended it. */
  exitCode: number | null
  /** Empty where `onOutput` took it. */
  stdout: Buffer
  /** The first MiB. */
  stderr: Buffer
  /** There was more on standard output. */
  truncated: boolean
  /** Why it was ended. */
  stopped: Stop | undefined
}

export type Stop = 'cancelled' | 'timeout' | 'stalled' | 'full' | 'memory'

/**
 * Runs a program to its end, or until it takes too long, prints or holds too much, or is cancelled. A non-zero exit is
 * for the caller to judge.
 *
 * @throws Node's error where it cannot be started (`ENOENT`, `EACCES`, `E2BIG`, …)
 */
export async function run(call: ProgramRun): Promise<RunOutcome> {
  const { input, maxOutputBytes = MOST_BYTES, onOutput, endsAtPipe = false, endsWithHermes, times } = call
  const { mostMemoryBytes = MOST_MEMORY_BYTES } = call
  const program = await start({ ...call, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
  const letGo = endsWithHermes ? whenHermesExits(() => program.signal('SIGKILL')) : undefined
  try {
    // It may end without having read all of its input.
    if (input !== undefined) program.input.end(input)
    const stdout = keepOutput(program.output, maxOutputBytes, onOutput)
    const stderr = keepOutput(program.errors, MOST_BYTES)
    const stopped = await firstStop(program.exited, { ...call, timeoutMs: call.timeoutMs ?? MOST_MS }, done => [
      stdout.full.then(() => 'full' as const),
      ...endsAtPipe ? [whenSeen('stalled', done, stop => watchForStall(program.pid, stop))] : [],
      whenSeen('memory', done, stop => watchMemory(program.pid, mostMemoryBytes, stop)),
    ])
    if (stopped !== undefined) await program.end(times)
    await drain(program.closed, [stdout, stderr])
    program.closeStreams()
    return {
      exitCode: program.exit?.code ?? null, stdout: stdout.bytes(), stderr: stderr.bytes(),
      truncated: stdout.overflowed(), stopped,
    }
  } finally {
    letGo?.()
  }
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

/** @param watch calls what it is given when it sees the reason, and returns what ends it */
function whenSeen<Reason extends Stop>(
  reason: Reason, done: AbortSignal, watch: (stop: () => void) => () => void,
): Promise<Reason> {
  return new Promise(resolve => {
    const unwatch = watch(() => resolve(reason))
    done.addEventListener('abort', unwatch, { once: true })
  })
}
