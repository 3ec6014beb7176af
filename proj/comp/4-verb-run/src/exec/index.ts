export { runCommand } from './run-command.js'
export type { CommandOutcome, CommandRun } from './run-command.js'
