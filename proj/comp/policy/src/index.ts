export { DENY_PATTERNS } from './deny-patterns.js'
export type { DenyPattern } from './deny-patterns.js'
export { createPathGate } from './path-gate.js'
