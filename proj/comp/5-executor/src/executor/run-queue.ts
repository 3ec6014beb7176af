import { HermesError } from '../../../0-contracts/src/index.js'

/** Gives up the turn while `wait` runs, and takes another one after. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>

/**
 * Runs tasks of one root one after another in order of arrival, across sessions: they exclude one another, and each
 * sees what the previous one did.
 */
export class RunQueue {
  readonly #last = new Map<string, Promise<void>>()

  /** @param cancelled makes the error of a run cancelled before its turn. Default: HermesError `CANCELLED` */
  constructor(private readonly cancelled: () => Error = cancelledBefore) {}

  /**
   * @param task gets `aside`, for waits during which others may go first: a user may take long to answer
   * @throws what `cancelled` makes where the signal is aborted before its turn; what `task` throws
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

  /** Waits for its turn. @returns a function that ends the turn */
  async #enter(root: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(root) ?? Promise.resolve()
    let leave: () => void = () => undefined
    const mine = new Promise<void>((resolve) => { leave = resolve })
    // A task that leaves before its turn may have others before it: those after it wait for these, too.
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
      const onAbort = (): void => reject(this.cancelled())
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
