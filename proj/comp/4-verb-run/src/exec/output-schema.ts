import * as v from 'valibot'
import { SANDBOX } from '../command-processes/index.js'
import { text } from '../../../0-contracts/src/index.js'

/** What a program printed, and how it ended: `exec` and the core tools that run code. */
export const OUTPUT = v.strictObject({
  stdout: text('What it printed to standard output; of long output the start and the end.'),
  stderr: text('What it printed to standard error; of long output the start and the end.'),
  sandbox: SANDBOX,
  exit_code: v.pipe(v.number(), v.description('The exit code; 128 + n after signal n.')),
})

/** What holds for every verb that runs a program. */
export const PROCESS_RULES = [
  'It runs in a sandbox: it may write in the root and in /tmp (which is empty for each call), not in .git; '
  + 'it finds the '
    + 'programs of the system and of PATH, no home, and no network unless the user opened it.',
  'stdin is closed.',
  'Every process the code starts ends with it, background ones too: on Linux also in a session of its own (setsid); '
    + 'elsewhere a process that leaves its group may survive.',
  'Of each output stream at most the configured number of bytes is kept, from its start and its end.',
  'An exit code other than 0 is a failure; its output is kept.',
] as const
