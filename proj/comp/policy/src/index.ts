export { isInside } from './is-inside.js'
export { createPathGate } from './path-gate.js'
export { DENY_PATTERNS } from './protected-paths.js'
export type { DenyPattern } from './protected-paths.js'
