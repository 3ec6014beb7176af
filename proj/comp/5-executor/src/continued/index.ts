export { Continuation } from './continuation.js'
