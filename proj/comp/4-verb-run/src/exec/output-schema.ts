import * as v from 'valibot'
import { ACCESS, NETWORK, SANDBOX } from '../command-processes/index.js'
import { text } from '../../../0-contracts/src/index.js'

/** What a program printed, and how it ended: `exec` and the core tools that run code. */
export const OUTPUT = v.strictObject({
  stdout: text('What it printed to standard output; of long output the start and the end.'),
  stderr: text('What it printed to standard error; of long output the start and the end.'),
  sandbox: SANDBOX,
  access: ACCESS,
  network: NETWORK,
  exit_code: v.pipe(v.number(), v.description('The exit code; 128 + n after signal n, 124 at the time limit.')),
})

export const SANDBOX_RULE = 'In a sandbox: it writes only in the root and in /tmp, not in .git; its home is empty, and '
  + 'there is no network unless the user opened it.'
export const BACKGROUND_RULE = 'What it leaves running (`server &`) answers later calls of the task and ends with it; '
  + 'where the sandbox cannot do that, with the call.'

/** What holds for every verb that runs a program. */
export const PROCESS_RULES = [
  SANDBOX_RULE,
  'stdin is closed.',
  BACKGROUND_RULE,
  'Of long output the start and the end are kept.',
  'An exit code other than 0 is a failure.',
] as const
