import { setTimeout as sleep } from 'node:timers/promises'
import type { ProgramLimits, ProgramUsage } from '../../../0-contracts/src/index.js'

/** Between two looks, in milliseconds. */
const LOOK_MS = 250

/** Which limit was exceeded. */
export type Excess = 'memory' | 'processes'
/** What was too much, as an error says it. */
export const EXCESS = { memory: 'much memory', processes: 'many processes' } as const

/**
 * Resolves when a program and all below it use more than they may. The kernel's own limits hold for single processes,
 * and not for root.
 *
 * @param done ends the watching; it then never resolves
 */
export async function whenExceeded(
  { processes, memoryBytes }: ProgramLimits, inside: { usage(): ProgramUsage }, done: AbortSignal,
): Promise<Excess> {
  for (;;) {
    try {
      await sleep(LOOK_MS, undefined, { signal: done, ref: false })
    } catch (error) {
      if (done.aborted) return new Promise(() => undefined)
      throw error
    }
    const used = inside.usage()
    if (used.memoryBytes > memoryBytes) return 'memory'
    if (used.processes > processes) return 'processes'
  }
}
