import { HermesError } from '../../contracts/src/index.js'

/**
 * Runs of one root, one after another, as the blocks of an answer:
 * the second of two calls sees what the first has done.
 */
export class RunQueue {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param task gets `aside`, for waits in which others may go first: a user may take long to answer
   * @throws HermesError `CANCELLED` where the signal comes before its turn; what `task` throws
   */
  async take<T>(task: (aside: Aside) => Promise<T>, signal: AbortSignal): Promise<T> {
    let leave = await this.#enter(signal)
    const aside: Aside = async (wait) => {
      leave()
      try {
        return await wait()
      } finally {
        leave = await this.#enter(signal)
      }
    }
    try {
      return await task(aside)
    } finally {
      leave()
    }
  }

  /** Waits for its turn. @returns ends it */
  async #enter(signal: AbortSignal): Promise<() => void> {
    const before = this.#last
    let leave: () => void = () => undefined
    this.#last = new Promise<void>((resolve) => {
      leave = resolve
    })
    try {
      await turn(before, signal)
      return leave
    } catch (error) {
      // Who left early still waits for those before, so that those after do.
      void before.finally(leave)
      throw error
    }
  }
}

/** Does without the turn while `wait` runs. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>

async function turn(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const cancelled = new HermesError('CANCELLED', 'Cancelled before it started', { hint: 'Call it again.' })
  if (signal.aborted) throw cancelled
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(cancelled)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
