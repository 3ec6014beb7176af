import { createContext } from 'preact'
import type { ReviewMessage } from '../review-protocol.js'
import type { ReviewState } from '../review-state.js'
import type { Reply } from './connection.js'

/** What the parts of the page share. */
export interface Desk {
  state: ReviewState
  /** Tells where something was not done. */
  send: (message: ReviewMessage) => Promise<Reply>
  /** Keys of the blocks that are being edited. */
  editing: ReadonlySet<string>
  onEditing: (key: string, isOpen: boolean) => void
  /** Texts as typed, also those that were not taken, by key: they outlive what shows them. */
  drafts: Map<string, string>
  /** What was typed has not been judged yet. */
  isTyping: boolean
  onTyping: (key: string, isTyping: boolean) => void
}

export const DeskContext = createContext<Desk | undefined>(undefined)
