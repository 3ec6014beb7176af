import type { HermesEvent } from '../../../../0-contracts/src/index.js'

/** Tells a caller's function what happens; it may throw, and though it should not, it may be async. */
export class Listener {
  /** @param onError what it throws, or rejects with later on */
  constructor(
    private readonly listen: (event: HermesEvent) => unknown, private readonly onError: (error: unknown) => void,
  ) {}

  tell(event: HermesEvent): void {
    try {
      const returned = this.listen(event)
      if (returned instanceof Promise) returned.catch((error: unknown) => this.onError(error))
    } catch (error) {
      this.onError(error)
    }
  }
}
