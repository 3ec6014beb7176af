import { HermesError } from '../../0-contracts/src/index.js'
import type { Change } from './outcomes.js'
import type { ReviewItem, ReviewState } from './review-state.js'

/** What pages are shown of a review, and who is told when it changes. */
export class ShownState {
  readonly #listeners = new Set<(state: ReviewState) => void>()

  constructor(private shown: ReviewState) {}

  get state(): ReviewState {
    return this.shown
  }

  /** @returns what ends it */
  listen(listener: (state: ReviewState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set(change: Change): void {
    this.shown = { ...this.shown, ...change } as ReviewState
    for (const listener of this.#listeners) listener(this.shown)
  }

  /** @param at place of the block in the answer, from 0 */
  change(at: number, change: Partial<ReviewItem>): void {
    this.set({ items: this.shown.items.map((item, place) => (place === at ? { ...item, ...change } : item)) })
  }

  /** The block at a place begins to run. */
  start(at: number, now: Date): void {
    const item = this.shown.items[at]
    if (!item) return
    this.change(at, { card: { ...item.card, state: 'running' }, live: { since: now.toISOString(), lines: [] } })
  }

  printed(at: number, lines: readonly string[]): void {
    const live = this.shown.items[at]?.live
    if (live) this.change(at, { live: { ...live, lines } })
  }

  end(at: number, change: (card: ReviewItem['card']) => ReviewItem['card']): void {
    const item = this.shown.items[at]
    if (item) this.change(at, { card: change(item.card), live: undefined })
  }

  /** Places of the blocks that are ticked. */
  chosen(): Set<number> {
    return new Set([...this.shown.items.keys()].filter((at) => this.shown.items[at]?.ticked))
  }

  /** @throws HermesError `INVALID_PARAMETER` for a key that no block has */
  place(key: string): number {
    const at = Number(key) - 1
    if (this.shown.items[at]?.key !== key) {
      throw new HermesError('INVALID_PARAMETER', `There is no block ${key}`, { hint: 'Reload the page.' })
    }
    return at
  }
}
