import { RPC, RpcError } from '../../json-rpc/src/index.js'

/** One at a time for each root, in the order they came, whichever client asks: runs in one root exclude one another. */
export class RunQueue {
  readonly #last = new Map<string, Promise<void>>()

  /** @throws RpcError `requestCancelled` where the signal is aborted before its turn has come */
  async run<T>(root: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(root) ?? Promise.resolve()
    let leave: () => void = () => undefined
    const mine = new Promise<void>((resolve) => { leave = resolve })
    const tail = before.then(() => mine)
    this.#last.set(root, tail)
    try {
      await turnOf(before, signal)
      return await task()
    } finally {
      leave()
      // Who left early may have others before: those after wait for them, too.
      void tail.finally(() => {
        if (this.#last.get(root) === tail) this.#last.delete(root)
      })
    }
  }
}

/** So many at a time; the others wait. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (signal.aborted) throw cancelled()
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

function turnOf(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(cancelled())
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void before.then(() => {
      signal.removeEventListener('abort', onAbort)
      return resolve()
    })
  })
}

function cancelled(): RpcError {
  return new RpcError(RPC.requestCancelled, 'Cancelled before it started')
}
