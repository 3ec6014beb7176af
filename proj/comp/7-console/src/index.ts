export {
  answerOnce, Chat, Conversation, endWords, exitCodeOf, fileUndo, keptSession, noticeWords, ofRoot, saveConversation,
  SLASH_COMMANDS, slashLine, type AgentTold, type ConversationSetup, type ModelServer,
} from './chat/index.js'
export { offeredFormats } from './offers/offered-formats.js'
export { markdownRows } from './markdown/index.js'
export { InteractiveSession, type OfferedFormats, type RunReport } from './interactive/index.js'
