/** What one answer of the model came to. */
export interface TurnOutcome {
  text: string
  /** It asked for something: the loop goes on. */
  hasCalls: boolean
  /** It ended at its greatest length, in the middle of a text without calls. */
  isCut: boolean
  /** As the server said it: `stop`, `content_filter`, …; absent where the connection was lost. */
  finish?: string
}
