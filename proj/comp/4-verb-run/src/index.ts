export { exactCommand } from './command-processes/index.js'
export { runCommand } from './exec/index.js'
