import { setImmediate } from 'node:timers/promises'
import { checkSignal } from '../../../../2-files/src/index.js'

/** Time that one call may take to resolve references, in milliseconds of processor time. */
export const MOST_WORK_MS = 5_000

/**
 * Time budget of one call. Counts processor time of this process, so that a busy machine leaves no more undecided than
 * an idle one; time that other calls use while this one waits does not count.
 */
export class WorkTime {
  #usedMs = 0
  #since: number

  /** @param clock processor time in milliseconds, from any origin */
  constructor(
    private readonly signal: AbortSignal, readonly limitMs = MOST_WORK_MS, private readonly clock = processorMs,
  ) {
    this.#since = clock()
  }

  get usedMs(): number {
    return this.#usedMs + this.clock() - this.#since
  }

  get isOver(): boolean {
    return this.usedMs >= this.limitMs
  }

  /**
   * Yields, since the work is synchronous, so that others can work and an abort can arrive. @throws HermesError
   * `CANCELLED`
   */
  async rest(): Promise<void> {
    this.#usedMs = this.usedMs
    await setImmediate()
    this.#since = this.clock()
    checkSignal(this.signal)
  }
}

/** How old a reading of the processor time may be: asking the system each time would cost much of it. */
const CLOCK_STEP_MS = 10
let asked = { at: -Infinity, usedMs: 0 }

function processorMs(): number {
  const at = performance.now()
  if (at - asked.at < CLOCK_STEP_MS) return asked.usedMs
  const { user, system } = process.cpuUsage()
  asked = { at, usedMs: (user + system) / 1000 }
  return asked.usedMs
}
