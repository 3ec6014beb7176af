import type { Message } from './messages.js'
import { isOfUser } from './results-head.js'

/** A message of the user, and the unit that its runs are known by; `''` where that is not known. */
export interface SaidMessage {
  text: string
  unit: string
}

/** The messages of the user, in order: the first, those that became a summary, and the others. */
export class SaidMessages {
  #standing: SaidMessage[] = []
  #summarised: SaidMessage[] = []

  /** Oldest first. */
  get all(): readonly SaidMessage[] {
    return [...this.#standing.slice(0, 1), ...this.#summarised, ...this.#standing.slice(1)]
  }

  /** The last of them is part of a summary. */
  get isLastSummarised(): boolean {
    return this.#standing.length === 1 && this.#summarised.length > 0
  }

  add(text: string, unit: string): void {
    this.#standing.push({ text, unit })
  }

  /** The last one was taken back. */
  pop(): void {
    if (this.isLastSummarised) this.#summarised.pop()
    else this.#standing.pop()
  }

  clear(): void {
    this.#standing = []
    this.#summarised = []
  }

  /** @param messages of the conversation, once it was made shorter: the first and the last ones stay as they were */
  shorten(messages: readonly Message[]): void {
    const left = messages.filter(isOfUser).length
    const before = this.#standing
    // Of none the first would stand for all.
    const gone = before.slice(Math.min(1, left), before.length - Math.max(0, left - 1))
    this.#standing = [...before.slice(0, Math.min(1, left)), ...before.slice(before.length - Math.max(0, left - 1))]
    this.#summarised.push(...gone)
  }
}
