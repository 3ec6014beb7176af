import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { JSON_FLAG, WAIT_FLAG } from './common-flags.js'

export const FLAGS: readonly Flag[] = [
  { name: 'root', value: 'DIR', help: 'Directory in the repository (default: the working directory)' },
  WAIT_FLAG,
  JSON_FLAG,
]
export const EXITS: Command['exits'] = [
  [0, 'done'], [1, 'not done, or work could not be put back'], [2, 'wrong usage'], [130, 'interrupted'],
]
