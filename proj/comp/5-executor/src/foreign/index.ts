export { foreignCall, understand } from './foreign-calls.js'
export type { ForeignCall } from './foreign-calls.js'
export { elseHint, foreignHint } from './foreign-hints.js'
