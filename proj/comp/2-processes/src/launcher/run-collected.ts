import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { whenHermesExits } from './at-exit.js'
import type { EndingTimes } from './end-processes.js'
import { firstStop, type Bounds } from './first-stop.js'
import { KeptOutput } from './kept-output.js'
import { start, type ProgramStart } from './start.js'
import { MOST_MEMORY_BYTES, watchMemory } from './watch-memory.js'
import { watchForStall } from './watch-for-stall.js'

/** After the program has ended, a child may still hold the pipe: give up after a pause of this many milliseconds. */
const DRAIN_MS = 500
const MOST_BYTES = 1024 * 1024
/** Default time limit, in milliseconds. */
export const MOST_MS = 10 * 60_000

/** A program to run to its end. */
export interface ProgramRun extends Omit<ProgramStart, 'stdio' | 'outlivesHermes'>, Bounds {
  /** Time limit in milliseconds. Default: ten minutes. */
  timeoutMs?: number | undefined
  /** Standard input, through a pipe. Default: empty. */
  input?: string | Uint8Array
  /** Most bytes of standard output to keep; the program is killed when it writes more. Default 1 MiB. */
  maxOutputBytes?: number | undefined
  /** Receives standard output in place of collecting it; `false` kills the program. */
  onOutput?: (piece: Buffer) => boolean
  /**
   * Most bytes of memory with all child processes (Linux). Default: 8 GiB, but at most three quarters of the machine's.
   */
  mostMemoryBytes?: number
  /** Kill it when it waits at a pipe without writer (Linux). Default false. */
  endsAtPipe?: boolean
  /** Kill it when hermes exits. Default false: git has to remove its lock files. */
  endsWithHermes?: boolean
  /** Grace periods. Default: a second each. */
  times?: EndingTimes
}

export interface RunOutcome {
  /** `null` when a signal ended it. */
  exitCode: number | null
  /** Empty where `onOutput` received it. */
  stdout: Buffer
  /** The first MiB. */
  stderr: Buffer
  /** Standard output was longer. */
  truncated: boolean
  /** Why it was killed, if it was. */
  stopped: Stop | undefined
}

export type Stop = 'cancelled' | 'timeout' | 'stalled' | 'full' | 'memory'

/**
 * Runs a program until it ends, takes too long, prints or uses too much, or is cancelled. The caller judges a non-zero
 * exit.
 *
 * @throws Node's error where it cannot be started (`ENOENT`, `EACCES`, `E2BIG`, …)
 */
export async function run(call: ProgramRun): Promise<RunOutcome> {
  const { input, maxOutputBytes = MOST_BYTES, onOutput, endsAtPipe = false, endsWithHermes, times } = call
  const { mostMemoryBytes = MOST_MEMORY_BYTES } = call
  const program = await start({ ...call, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
  const letGo = endsWithHermes ? whenHermesExits(() => program.signal('SIGKILL')) : undefined
  try {
    // The program may end without reading all its input.
    if (input !== undefined) program.input.end(input)
    const stdout = new KeptOutput(program.output, maxOutputBytes, onOutput)
    const stderr = new KeptOutput(program.errors, MOST_BYTES)
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
      truncated: stdout.overflowed, stopped,
    }
  } finally {
    letGo?.()
  }
}

/** Waits until the pipes are closed, or nothing more comes from them. */
async function drain(closed: Promise<void>, outputs: readonly KeptOutput[]): Promise<void> {
  for (let before = -1; piecesOf(outputs) !== before;) {
    before = piecesOf(outputs)
    const isClosed = await Promise.race([closed.then(() => true), sleep(DRAIN_MS, false, { ref: false })])
    if (isClosed) return
    // After long other work, the timer fires before pending input is read; let that happen first.
    await nextTurn()
  }
}

function piecesOf(outputs: readonly KeptOutput[]): number {
  return outputs.reduce((sum, output) => sum + output.pieces, 0)
}

/** @param watch gets a function to call when it sees the reason; returns a function that stops watching */
function whenSeen<Reason extends Stop>(
  reason: Reason, done: AbortSignal, watch: (stop: () => void) => () => void,
): Promise<Reason> {
  return new Promise(resolve => {
    const unwatch = watch(() => resolve(reason))
    done.addEventListener('abort', unwatch, { once: true })
  })
}
