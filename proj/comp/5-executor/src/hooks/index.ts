export { RunHooks, type HookEvent, type HookParts } from './run-hooks.js'
