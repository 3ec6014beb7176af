import { loadPassages } from './index-store.js'
import { Dictionary, numberTerms, type PassageIndex, type TextPassages } from './passages/index.js'

/** The passages of files, loaded when they are first asked for: whoever only looks for names does without. */
export class KeptPassages {
  readonly #root: string
  #index: PassageIndex | undefined
  #isChanged = false

  constructor(root: string) {
    this.#root = root
  }

  /** Some are not on disk. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  get index(): PassageIndex {
    return this.#index ??= loadPassages(this.#root) ?? { dictionary: new Dictionary(), files: new Map() }
  }

  /** Whether they are known, of this very text. */
  has(key: string, hash: Uint8Array): boolean {
    const known = this.index.files.get(key)
    return known !== undefined && Buffer.compare(known.hash, hash) === 0
  }

  delete(key: string): void {
    if (this.index.files.delete(key)) this.#isChanged = true
  }

  /** Takes passages in the order of these files, so that the index is the same whichever thread is first. */
  inOrder(keys: readonly string[]): PassagesInOrder {
    return new PassagesInOrder(keys, (key, fresh) => {
      if (fresh === undefined) return
      this.index.files.set(key, { hash: fresh.hash, ...numberTerms(fresh.passages, this.index.dictionary) })
      this.#isChanged = true
    })
  }

  noteSaved(): void {
    this.#isChanged = false
  }
}

export interface FreshPassages {
  hash: Uint8Array
  passages: TextPassages
}

/** Holds passages back until those of all files before them have come. */
export class PassagesInOrder {
  readonly #keys: readonly string[]
  readonly #take: (key: string, fresh: FreshPassages | undefined) => void
  readonly #waiting = new Map<string, FreshPassages | undefined>()
  #next = 0

  constructor(keys: readonly string[], take: (key: string, fresh: FreshPassages | undefined) => void) {
    this.#keys = keys
    this.#take = take
  }

  /** @param fresh `undefined` for a file without new ones */
  add(key: string, fresh: FreshPassages | undefined): void {
    this.#waiting.set(key, fresh)
    for (let first = this.#keys[this.#next]; first !== undefined && this.#waiting.has(first);) {
      this.#take(first, this.#waiting.get(first))
      this.#waiting.delete(first)
      first = this.#keys[++this.#next]
    }
  }
}
