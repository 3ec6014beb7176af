import type { Message } from './messages.js'
import { isOfUser } from './results-head.js'

/** A message of the user, and the unit of its runs; `''` where that is unknown. */
export interface SaidMessage {
  text: string
  unit: string
}

/** The user's messages, in order: the first, those replaced by a summary, and the rest. */
export class SaidMessages {
  #standing: SaidMessage[] = []
  #summarised: SaidMessage[] = []

  /** Oldest first. */
  get all(): readonly SaidMessage[] {
    return [...this.#standing.slice(0, 1), ...this.#summarised, ...this.#standing.slice(1)]
  }

  /** Whether the last message is part of a summary. */
  get isLastSummarised(): boolean {
    return this.#standing.length === 1 && this.#summarised.length > 0
  }

  add(text: string, unit: string): void {
    this.#standing.push({ text, unit })
  }

  /** Removes the last message. */
  pop(): void {
    if (this.isLastSummarised) this.#summarised.pop()
    else this.#standing.pop()
  }

  clear(): void {
    this.#standing = []
    this.#summarised = []
  }

  /**
   * Called when the conversation was shortened: its first and last messages stay, those between are summarised.
   *
   * @param messages what is left
   */
  shorten(messages: readonly Message[]): void {
    const left = messages.filter(isOfUser).length
    const before = this.#standing
    // If no message is left, even the first is part of the summary.
    const gone = before.slice(Math.min(1, left), before.length - Math.max(0, left - 1))
    this.#standing = [...before.slice(0, Math.min(1, left)), ...before.slice(before.length - Math.max(0, left - 1))]
    this.#summarised.push(...gone)
  }
}
