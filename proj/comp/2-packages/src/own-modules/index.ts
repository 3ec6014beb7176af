export { loadOwnModules, type OwnModule } from './load-own-modules.js'
