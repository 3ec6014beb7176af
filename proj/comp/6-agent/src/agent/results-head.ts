import type { Message } from './messages.js'

/** How each message begins that hands back the results of blocks. */
export const RESULTS_HEAD = 'Results of the blocks in your last answer.'

/** A message of the harness, not of the user. */
export function isResultsText(text: string | null): boolean {
  return text !== null && text.startsWith(RESULTS_HEAD)
}

/** How the message begins that stands for older ones. */
export const SUMMARY_HEAD
  = 'Summary of the conversation before this point (older messages were left out to save room):'

/** Asks for the rest of an answer that somebody stopped. */
export const GO_ON = 'Your last answer was interrupted. Go on where it ended, without repeating what was said and done.'

/** Said by the user, not by the harness. */
export function isOfUser({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' && !isResultsText(content) && content?.startsWith(SUMMARY_HEAD) !== true && content !== GO_ON
}
