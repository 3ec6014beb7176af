export { foreignCall, understand, type ForeignCall } from './foreign-calls.js'
export { elseHint, foreignHint } from './foreign-hints.js'
