import { HermesError } from '../../../0-contracts/src/index.js'

/** Does without the turn while `wait` runs. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>

/**
 * Runs of one root, one after another in the order they came, whoever asks: runs in one root exclude one another, and
 * the second sees what the first has done.
 */
export class RunQueue {
  readonly #last = new Map<string, Promise<void>>()
  readonly #cancelled: () => Error

  /** @param cancelled makes what a run cancelled before its turn is refused with. Default: HermesError `CANCELLED` */
  constructor(cancelled: () => Error = cancelledBefore) {
    this.#cancelled = cancelled
  }

  /**
   * @param task gets `aside`, for waits in which others may go first: a user may take long to answer
   * @throws what `cancelled` makes where the signal comes before its turn; what `task` throws
   */
  async run<T>(root: string, signal: AbortSignal, task: (aside: Aside) => Promise<T>): Promise<T> {
    let leave = await this.#enter(root, signal)
    const aside: Aside = async (wait) => {
      leave()
      try {
        return await wait()
      } finally {
        leave = await this.#enter(root, signal)
      }
    }
    try {
      return await task(aside)
    } finally {
      leave()
    }
  }

  /** Waits for its turn. @returns ends it */
  async #enter(root: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(root) ?? Promise.resolve()
    let leave: () => void = () => undefined
    const mine = new Promise<void>((resolve) => { leave = resolve })
    // Who leaves early may have others before: those after wait for them, too.
    const tail = before.then(() => mine)
    this.#last.set(root, tail)
    void tail.finally(() => {
      if (this.#last.get(root) === tail) this.#last.delete(root)
    })
    try {
      await this.#turn(before, signal)
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  #turn(before: Promise<void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(this.#cancelled())
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      void before.then(() => {
        signal.removeEventListener('abort', onAbort)
        return resolve()
      })
    })
  }
}

function cancelledBefore(): HermesError {
  return new HermesError('CANCELLED', 'Cancelled before it started', { hint: 'Call it again.' })
}
