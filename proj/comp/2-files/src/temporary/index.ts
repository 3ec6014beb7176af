export { openMarkedDirectory } from './marked-directory.js'
export type { MarkedDirectory } from './marked-directory.js'
export { removeMade } from './remove-made.js'
