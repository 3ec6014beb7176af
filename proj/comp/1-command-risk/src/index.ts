export { DANGERS } from './dangers.js'
export type { Danger, DangerName } from './dangers.js'
export { findDangers, isDangerName } from './recognise.js'
export type { CommandSource } from './recognise.js'
