import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { Execution } from '../terminal-sessions/index.js'

const LOOK_MS = 20
/** How long the shell may take to start a command, in milliseconds. */
const BEGIN_MS = 10_000

export interface Wait {
  /** Longest wait, in milliseconds. */
  longestMs: number
  /**
   * Also stop waiting when it has printed something since the call and then nothing for this long, in milliseconds: it
   * may be asking.
   */
  quietMs?: number
}

/**
 * Waits until a program has started, and then for its end or as long as asked.
 *
 * @throws HermesError `CANCELLED`
 */
export async function waitForProgram(
  verb: string, execution: Execution, { longestMs, quietMs }: Wait, signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const begun = performance.now()
  try {
    // Once it has started, typed text goes to the program instead of its shell.
    await Promise.race([execution.begun, elapsed(BEGIN_MS, over.signal), aborted(signal, over.signal)])
    if (longestMs > 0 && !execution.ending) await Promise.race([execution.ended, elapsed(
      longestMs, over.signal,
    ), aborted(signal, over.signal),
      ...(quietMs === undefined ? [] : [quiet(execution, begun, quietMs, over.signal)])])
  } finally {
    over.abort()
  }
  if (signal.aborted && !execution.ending) {
    throw new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, { hint: 'The run was cancelled from outside. '
      + 'Send the block again.' })
  }
}

async function elapsed(milliseconds: number, over: AbortSignal): Promise<void> {
  if (Number.isFinite(milliseconds)) await orAborted(
    sleep(Math.min(milliseconds, 2 ** 31 - 1), undefined, { signal: over }), over,
  )
  else await new Promise(resolve => over.addEventListener('abort', resolve))
}

async function quiet(execution: Execution, begun: number, quietMs: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await orAborted(sleep(LOOK_MS, undefined, { signal: over }), over)
    if (execution.lastOutputAt > begun && performance.now() - execution.lastOutputAt > quietMs) return
  }
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { signal: over })
  })
}

async function orAborted(wait: Promise<void>, over: AbortSignal): Promise<void> {
  try {
    await wait
  } catch (error) {
    if (!over.aborted) throw error
  }
}
