export { exec } from './exec.js'
export { executeCommand } from './execute-command.js'
export { executeScript } from './execute-script.js'
export { procRun } from './proc-run.js'
