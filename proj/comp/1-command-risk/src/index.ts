export { DANGERS, type Danger, type DangerName } from './dangers.js'
export { findDangers, type CommandSource } from './recognise.js'
export { changesWhatRuns } from './commands/variables.js'
