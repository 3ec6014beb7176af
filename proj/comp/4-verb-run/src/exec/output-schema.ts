import * as v from 'valibot'
import { ACCESS, SANDBOX } from '../command-processes/index.js'
import { text } from '../../../0-contracts/src/index.js'

/** What a program printed, and how it ended: `exec` and the core tools that run code. */
export const OUTPUT = v.strictObject({
  stdout: text('What it printed to standard output; of long output the start and the end.'),
  stderr: text('What it printed to standard error; of long output the start and the end.'),
  sandbox: SANDBOX,
  access: ACCESS,
  exit_code: v.pipe(v.number(), v.description('The exit code; 128 + n after signal n.')),
})

export const SANDBOX_RULE = 'It runs in a sandbox: it may write in the root and in /tmp, which the calls of a task '
  + 'share, not in .git; it finds the programs of the system and of PATH, an empty home, and no network unless the '
  + 'user opened it.'
export const BACKGROUND_RULE = 'What it leaves running (`server &`) answers later calls of the task, also on '
  + '127.0.0.1, and ends with the task; without a sandbox that can do this it ends with the call. A call that is '
  + 'stopped ends with all that it started.'

/** What holds for every verb that runs a program. */
export const PROCESS_RULES = [
  SANDBOX_RULE,
  'stdin is closed.',
  BACKGROUND_RULE,
  'Of each output stream at most the configured number of bytes is kept, from its start and its end.',
  'An exit code other than 0 is a failure; its output is kept.',
] as const
