import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { CronRun, RunLog } from './runs.js'

/** Waits before the second and third attempt. The adapter itself has tried several times by then. */
const WAITS_MS = [60_000, 10 * 60_000]
export const MOST_TRIES = WAITS_MS.length + 1

/** Sends a text to a job's target, e.g. `webhook:c1`. @throws HermesError when it gives up */
export type Deliver = (to: string, text: string, signal: AbortSignal) => Promise<void>

export interface DeliveryOptions {
  log: RunLog
  deliver: Deliver
  signal: AbortSignal
  now: () => number
  /** Called for a delivery that ended, or waits for another attempt. */
  onDelivery?: ((run: CronRun) => void) | undefined
  onProblem: (error: unknown) => void
}

/**
 * Delivers results of runs to their jobs' targets. An attempt is recorded before it begins: if the runner died during
 * one, the text may have arrived, so it is reported as `unknown` and not sent again. A failed attempt is repeated, up
 * to three in all.
 */
export class Deliveries {
  readonly #waiting = new Map<string, CronRun>()
  readonly #sending = new Set<Promise<void>>()

  constructor(private readonly options: DeliveryOptions) {}

  /** Continues a delivery that another runner left. */
  takeUp(run: CronRun): void {
    const { delivery } = run
    if (delivery?.state === 'sending') {
      this.#keep({ ...run, delivery: { ...delivery, state: 'unknown', problem: 'the runner died while it was sent' } })
    } else if (delivery?.state === 'waiting') this.#waiting.set(keyOf(run), run)
  }

  /** Starts the deliveries that are due. */
  sendDue(): void {
    const { now, signal, onProblem } = this.options
    for (const [key, run] of this.#waiting) {
      if (signal.aborted || (run.delivery?.nextMs ?? 0) > now()) continue
      this.#waiting.delete(key)
      const task = this.#send(run).catch(onProblem).finally(() => this.#sending.delete(task))
      this.#sending.add(task)
    }
  }

  nextMs(): number {
    return Math.min(Infinity, ...[...this.#waiting.values()].map(({ delivery }) => delivery?.nextMs ?? 0))
  }

  async settled(): Promise<void> {
    await Promise.all(this.#sending)
  }

  async #send(run: CronRun): Promise<void> {
    const { deliver, signal, now } = this.options
    const { delivery } = run
    if (delivery === undefined) return
    const { text = '', tries, to } = delivery
    const begun = { to, text, tries: tries + 1 }
    try {
      this.options.log.save({ ...run, delivery: { ...begun, state: 'sending' } })
    } catch (error) {
      // If the attempt cannot be recorded, it waits until it can be.
      this.#waiting.set(keyOf(run), { ...run, delivery: { ...delivery, nextMs: now() + (WAITS_MS[0] ?? 0) } })
      throw error
    }
    try {
      await deliver(to, text, signal)
      this.#keep({ ...run, delivery: { to, tries: tries + 1, state: 'delivered' } })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.#failed(run, begun, error)
    }
  }

  #failed(run: CronRun, begun: { to: string; text: string; tries: number }, error: Error): void {
    const { signal, now } = this.options
    const wait = WAITS_MS[begun.tries - 1]
    if (signal.aborted) {
      const problem = 'the runner was ended while it was sent'
      this.#keep({ ...run, delivery: { ...begun, state: 'unknown', problem } })
    } else if (wait === undefined) {
      this.#keep({ ...run, delivery: { ...begun, state: 'failed', problem: error.message } })
    } else {
      const again: CronRun = {
        ...run, delivery: { ...begun, state: 'waiting', nextMs: now() + wait, problem: error.message },
      }
      this.#waiting.set(keyOf(run), again)
      this.#keep(again)
    }
  }

  #keep(run: CronRun): void {
    try {
      this.options.log.save(run)
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      this.options.onProblem(error)
    }
    this.options.onDelivery?.(run)
  }
}

function keyOf({ job, id }: CronRun): string {
  return `${job}/${id}`
}
