export { isClineHistory, readCline } from './cline.js'
export { isGptmeHistory, readGptme } from './gptme.js'
export { isOpenHandsEvent, isOpenHandsHistory, readOpenHands } from './openhands.js'
export { historyOf } from './text-history.js'
