import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import { firstStop } from '../../../2-processes/src/index.js'
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
  const begun = performance.now()
  // Once it has started, typed text goes to the program instead of its shell.
  await firstStop(execution.begun, { signal, timeoutMs: BEGIN_MS })
  if (longestMs > 0 && !execution.ending) await firstStop(execution.ended, { signal, timeoutMs: longestMs }, over => (
    quietMs === undefined ? [] : [quiet(execution, begun, quietMs, over)]
  ))
  if (signal.aborted && !execution.ending) {
    throw new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, { hint: 'The run was cancelled from outside. '
      + 'Send the block again.' })
  }
}

async function quiet(execution: Execution, begun: number, quietMs: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(LOOK_MS)
    if (execution.lastOutputAt > begun && performance.now() - execution.lastOutputAt > quietMs) return
  }
}
