import * as v from 'valibot'
import { NETWORK, SANDBOX } from '../command-processes/index.js'
import { integerBetween, text } from '../../../0-contracts/src/index.js'

/** What the verbs of the terminal have in common. */
export const TERMINAL = {
  vocabulary: 'clada',
  category: 'terminal',
  requires: { packages: ['@lydell/node-pty'] },
} as const

/** Id of the task's shell, beside those of background programs. */
export const SHELL = 'shell'

export const ID = v.optional(text('Which program: an id of terminal_list. Default: what the shell runs.'), SHELL)

export function waitSeconds(description: string) {
  return v.optional(integerBetween(description, 0, 3600))
}

/** What a command printed and how it stands. */
export const STATE = v.strictObject({
  output: text('What it printed since it was last asked for, as a screen would show it: without colours, '
    + 'and a progress '
    + 'bar as one line. Of long output the start and the end.'),
  running: v.pipe(v.boolean(), v.description('It has not ended.')),
  exit_code: v.optional(v.pipe(v.number(), v.description('The exit code, once it has ended; 128 + n after signal n.'))),
  cwd: text('The directory of the shell, as the shell calls it.'),
  sandbox: SANDBOX,
  network: NETWORK,
})

export const RULES = [
  'The shell stays for the session: its directory, variables, functions and aliases hold for the next '
  + 'command. It is bash '
    + 'where there is one, else sh, and reads none of the settings of the user.',
  'It runs in the sandbox of the session, as exec does, on a terminal of 120 columns and 40 rows.',
  'All that runs in it ends with the session.',
] as const
