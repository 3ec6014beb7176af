export { runCommand } from './exec/index.js'
