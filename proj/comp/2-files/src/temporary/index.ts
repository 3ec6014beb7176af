export { openMarkedDirectory, type MarkedDirectory } from './marked-directory.js'
export { removeMade } from './remove-made.js'
