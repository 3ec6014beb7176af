export { contextPrompt } from './context-prompt.js'
export type { ContextPrompt } from './context-prompt.js'
export { surroundings } from './surroundings.js'
