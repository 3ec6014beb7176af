import { loadPassages } from './index-store.js'
import { Dictionary, numberTerms, type PassageIndex, type TextPassages } from './passages/index.js'

/** Passages of files, loaded on first use, since searches for names do not need them. */
export class KeptPassages {
  #index: PassageIndex | undefined
  /** Whether some are not saved. */
  isChanged = false

  constructor(private readonly root: string) {}

  get index(): PassageIndex {
    return this.#index ??= loadPassages(this.root) ?? { dictionary: new Dictionary(), files: new Map() }
  }

  /** Whether the passages of exactly this text are known. */
  has(key: string, hash: Uint8Array): boolean {
    const known = this.index.files.get(key)
    return known !== undefined && Buffer.compare(known.hash, hash) === 0
  }

  delete(key: string): void {
    if (this.index.files.delete(key)) this.isChanged = true
  }

  /** Collects passages in the order of these files, so that the index does not depend on the speed of threads. */
  inOrder(keys: readonly string[]): PassagesInOrder {
    return new PassagesInOrder(keys, (key, fresh) => {
      if (fresh === undefined) return
      this.index.files.set(key, { hash: fresh.hash, ...numberTerms(fresh.passages, this.index.dictionary) })
      this.isChanged = true
    })
  }
}

export interface FreshPassages {
  hash: Uint8Array
  passages: TextPassages
}

/** Holds back passages until those of all earlier files have arrived. */
export class PassagesInOrder {
  readonly #waiting = new Map<string, FreshPassages | undefined>()
  #next = 0

  constructor(
    private readonly keys: readonly string[],
    private readonly take: (key: string, fresh: FreshPassages | undefined) => void,
  ) {}

  /** @param fresh `undefined` for a file without new ones */
  add(key: string, fresh: FreshPassages | undefined): void {
    this.#waiting.set(key, fresh)
    for (let first = this.keys[this.#next]; first !== undefined && this.#waiting.has(first);) {
      this.take(first, this.#waiting.get(first))
      this.#waiting.delete(first)
      first = this.keys[++this.#next]
    }
  }
}
