export { createSandbox, DEFAULT_RESOURCES } from './create-sandbox.js'
export type { SandboxOptions } from './create-sandbox.js'
export { passedOn } from './environment.js'
export type { ResourceLimits } from './resource-limits.js'
