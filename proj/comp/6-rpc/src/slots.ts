import { RPC, RpcError } from '../../2-wire/src/index.js'

/** So many at a time; the others wait. */
export class Slots {
  readonly #waiting: (() => void)[] = []

  constructor(private free: number) {}

  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (signal.aborted) throw cancelledBefore()
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.free += 1
    }
  }
}

/** What a request is answered with that was cancelled while it waited. */
export function cancelledBefore(): RpcError {
  return new RpcError(RPC.requestCancelled, 'Cancelled before it started')
}
