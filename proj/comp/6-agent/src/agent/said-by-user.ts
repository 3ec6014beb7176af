import { withoutNotes } from './message-notes.js'
import type { Message } from './messages.js'
import { isOfUser, STEER_HEAD } from './results-head.js'

/** What the user said in a message, as it was said; `undefined` for one of the harness, or of the model. */
export function saidByUser({ role, content }: Pick<Message, 'role' | 'content'>): string | undefined {
  if (role !== 'user' || content === null) return undefined
  if (content.startsWith(STEER_HEAD)) return content.slice(STEER_HEAD.length).trimStart()
  return isOfUser({ role, content }) ? withoutNotes(content) : undefined
}
