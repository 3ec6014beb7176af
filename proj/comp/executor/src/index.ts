export { execute, Hermes } from './hermes.js'
export { DEFAULT_LIMITS } from '../../config/src/index.js'
export type { ExecutorOptions } from './settings.js'
export { VerbExecutor } from './verb-executor.js'
