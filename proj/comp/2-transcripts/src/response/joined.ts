import type { ResponsePart } from '../../../0-contracts/src/index.js'

/** What the events of a stream come to. */
export interface Joined {
  parts: ResponsePart[]
  /** The stream came to its end. */
  isEnded: boolean
}

/** Pieces by their place in the stream, in the order of their first ones. */
export class Pieces<T> {
  readonly #pieces = new Map<unknown, T>()

  at(key: unknown, make: () => T): T {
    const piece = this.#pieces.get(key) ?? make()
    this.#pieces.set(key, piece)
    return piece
  }

  get all(): T[] {
    return [...this.#pieces.values()]
  }
}
