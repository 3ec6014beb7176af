export {
  answerOnce, Chat, Conversation, endWords, exitCodeOf, fileUndo, keptSession, noticeWords, ofRoot, saveConversation,
  SLASH_COMMANDS, slashLine,
} from './chat/index.js'
export type { AgentTold, ConversationSetup, ModelServer } from './chat/index.js'
export { offeredFormats } from './offers/index.js'
export { markdownRows } from './markdown/index.js'
export { InteractiveSession } from './interactive/index.js'
export type { OfferedFormats, RunReport } from './interactive/index.js'
