export { answerOnce, Chat, exitCodeOf, fileUndo, keptSession, saveConversation } from './chat/index.js'
export { offeredFormats } from './offers/index.js'
export { InteractiveSession } from './interactive/index.js'
export type { OfferedFormats, RunReport } from './interactive/index.js'
