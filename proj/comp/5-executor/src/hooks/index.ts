export { RunHooks } from './run-hooks.js'
export type { HookParts } from './run-hooks.js'
