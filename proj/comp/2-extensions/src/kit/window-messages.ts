import type { WindowMessageParams } from './extension-protocol.js'

/** What pages said and nobody has asked for; more is dropped, the oldest first. */
const MOST_KEPT = 1000

/** Keeps what windows say until it is asked for. */
export class WindowMessages {
  readonly #said = new Map<string, unknown[]>()
  readonly #waiting = new Map<string, ((data: unknown) => void)[]>()

  add({ windowId, data }: WindowMessageParams): void {
    const waiting = this.#waiting.get(windowId)?.shift()
    if (waiting) waiting(data)
    else this.#said.set(windowId, [...this.#said.get(windowId) ?? [], data].slice(-MOST_KEPT))
  }

  /** @throws what `signal` was aborted with */
  async next(windowId: string, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    const said = this.#said.get(windowId)
    if (said !== undefined && said.length > 0) return said.shift()
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(windowId) ?? []
      this.#waiting.set(windowId, waiting)
      const take = (data: unknown): void => {
        signal.removeEventListener('abort', stop)
        resolve(data)
      }
      const stop = (): void => {
        this.#waiting.set(windowId, waiting.filter(waiter => waiter !== take))
        reject(signal.reason as Error)
      }
      waiting.push(take)
      signal.addEventListener('abort', stop, { once: true })
    })
  }
}
