export { answerOnce, Chat, exitCodeOf, fileUndo, keptSession, saveConversation } from './chat/index.js'
export { InteractiveSession } from './interactive/index.js'
export type { RunReport } from './interactive/index.js'
