export { RunHooks } from './run-hooks.js'
export type { HookEvent, HookParts } from './run-hooks.js'
