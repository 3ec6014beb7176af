/** Tasks that run one after the other, whatever comes of those before. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(task: () => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(task)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}

/** What some work resolves to; it is among the pending until then. */
export async function tracked<T>(pending: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  pending.add(work)
  try {
    return await work
  } finally {
    pending.delete(work)
  }
}

/** Does something. @param leave called where the signal is aborted before that is done, or was aborted already */
export async function untilAborted<T>(signal: AbortSignal, leave: () => void, task: () => Promise<T>): Promise<T> {
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await task()
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
