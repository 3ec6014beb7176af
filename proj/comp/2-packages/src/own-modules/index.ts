export { loadOwnModules } from './load-own-modules.js'
export type { OwnModule } from './load-own-modules.js'
