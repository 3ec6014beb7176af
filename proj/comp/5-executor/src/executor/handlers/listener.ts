import type { HermesEvent } from '../../../../0-contracts/src/index.js'

/** Tells a caller's function what happens; it may throw, and though it should not, it may be async. */
export class Listener {
  readonly #listen: (event: HermesEvent) => unknown
  readonly #onError: (error: unknown) => void

  /** @param onError what it throws, or rejects with later on */
  constructor(listen: (event: HermesEvent) => unknown, onError: (error: unknown) => void) {
    this.#listen = listen
    this.#onError = onError
  }

  tell(event: HermesEvent): void {
    try {
      const returned = this.#listen(event)
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#onError(error))
    } catch (error) {
      this.#onError(error)
    }
  }
}
