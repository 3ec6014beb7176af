import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { NO_GIT_FLAG, WAIT_FLAG } from './common-flags.js'

/** Flags of the commands that take runs back. */
export const RUN_ROOT_FLAG: Flag = {
  name: 'root', value: 'DIR', help: 'Directory the run worked in (default: the working directory)',
}
export const RUN_FLAGS: readonly Flag[] = [
  RUN_ROOT_FLAG,
  { name: 'allow', value: 'DIR', repeatable: true, help: 'Another directory the run was allowed to write; repeatable' },
  NO_GIT_FLAG,
  WAIT_FLAG,
]
export const TRUST_FLAG: Flag = {
  name: 'trust-journal', help: 'Take the whole journal as yours, also what is not signed with your key',
}
export const FORCE_FLAG: Flag = {
  name: 'force', help: 'Where files were changed since, keep the change and merge, with conflict markers',
}
export const REVERSE_EXITS: Command['exits'] = [
  [0, 'done'], [1, 'nothing was done, or not everything could be put back'], [2, 'wrong usage, or the commit failed'],
  [130, 'interrupted'],
]
