import { HermesError } from '../../contracts/src/index.js'

/** Runs of one root, one after another, as the blocks of an answer: the second of two calls sees what the first has done. */
export class RunQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** @throws HermesError `CANCELLED` where the signal comes before its turn; what `task` throws */
  async take<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last
    let leave: () => void = () => undefined
    this.#last = new Promise<void>((resolve) => {
      leave = resolve
    })
    try {
      await turn(before, signal)
      return await task()
    } finally {
      // Who left early still waits for those before, so that those after do.
      void before.finally(leave)
    }
  }
}

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
