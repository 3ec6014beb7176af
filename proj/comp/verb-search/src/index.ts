export { glob } from './glob.js'
export { grep } from './grep.js'
export { walk } from './walk.js'
export type { WalkedEntry, WalkOptions } from './walk.js'
