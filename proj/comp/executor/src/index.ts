export { execute, Hermes } from './hermes.js'
export { DEFAULT_LIMITS } from './settings.js'
export type { ExecutorOptions } from './settings.js'
export { VerbExecutor } from './verb-executor.js'
