import { setImmediate } from 'node:timers/promises'
import { checkSignal } from '../../../../2-files/src/index.js'

/** What one call may take to find out what places mean, in milliseconds of the processor. */
export const MOST_WORK_MS = 5_000

/**
 * The time that one call has for its work. It counts what this process has the processor, so that a busy machine
 * leaves no more undecided than an idle one, and not what other calls do while this one waits.
 */
export class WorkTime {
  readonly limitMs: number
  readonly #signal: AbortSignal
  readonly #clock: () => number
  #usedMs = 0
  #since: number

  /** @param clock milliseconds of the processor, from any start */
  constructor(signal: AbortSignal, limitMs = MOST_WORK_MS, clock = processorMs) {
    this.#signal = signal
    this.limitMs = limitMs
    this.#clock = clock
    this.#since = clock()
  }

  get usedMs(): number {
    return this.#usedMs + this.#clock() - this.#since
  }

  get isOver(): boolean {
    return this.usedMs >= this.limitMs
  }

  /** What works is synchronous: lets others work, and an abort arrive. @throws HermesError `CANCELLED` */
  async rest(): Promise<void> {
    this.#usedMs = this.usedMs
    await setImmediate()
    this.#since = this.#clock()
    checkSignal(this.#signal)
  }
}

/** How old what is known of the processor's time may be: asking the system each time would take much of it. */
const CLOCK_STEP_MS = 10
let asked = { at: -Infinity, usedMs: 0 }

function processorMs(): number {
  const at = performance.now()
  if (at - asked.at < CLOCK_STEP_MS) return asked.usedMs
  const { user, system } = process.cpuUsage()
  asked = { at, usedMs: (user + system) / 1000 }
  return asked.usedMs
}
