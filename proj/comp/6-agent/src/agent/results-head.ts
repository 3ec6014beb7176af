import type { Message } from './messages.js'
import { withoutNotes } from './message-notes.js'

/** How each message begins that hands back the results of blocks. */
export const RESULTS_HEAD = 'Results of the blocks in your last answer.'

/** A message of the harness, not of the user. */
export function isResultsText(text: string | null): boolean {
  return text !== null && text.startsWith(RESULTS_HEAD)
}

/** How the message begins that stands for older ones. */
export const SUMMARY_HEAD
  = 'Summary of the conversation before this point (older messages were left out to save room):'

/** Stands between a summary and the answer that follows it: some servers refuse two messages of one side in a row. */
export const GO_ON_FROM = '[hermes: go on from this summary.]'

/** It stands for older messages. */
export function isSummary({ content }: Pick<Message, 'content'>): boolean {
  return content?.startsWith(SUMMARY_HEAD) === true
}

/** Asks for the rest of an answer that somebody stopped. */
export const GO_ON = 'Your last answer was interrupted. Go on where it ended, without repeating what was said and done.'

/** How the message begins that the user gives in the middle of an answer. */
export const STEER_HEAD = 'The user says, while you work:'

/** Begins a turn: said by the user, not by the harness, and not in the middle of an answer. */
export function isOfUser({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' && !isResultsText(content) && !isSummary({ content }) && content !== GO_ON
    && content !== GO_ON_FROM && content?.startsWith(STEER_HEAD) !== true
}

/** What the user said in a message, as it was said; `undefined` for one of the harness, or of the model. */
export function saidByUser({ role, content }: Pick<Message, 'role' | 'content'>): string | undefined {
  if (role !== 'user' || content === null) return undefined
  if (content.startsWith(STEER_HEAD)) return content.slice(STEER_HEAD.length).trimStart()
  return isOfUser({ role, content }) ? withoutNotes(content) : undefined
}
