export { contextPrompt, type ContextPrompt } from './context-prompt.js'
export { surroundings } from './surroundings.js'
