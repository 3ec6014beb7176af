import type { CommandSpec } from '../../command.js'
import { DURABLE_FLAG, EXTENSION_FLAGS, NO_GIT_FLAG, SITTING_FLAGS, WAIT_FLAG, YES_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'interactive',
  summary: 'Paste or type answers and envelopes at a prompt, and run them one after the other',
  usage: ['interactive [options]', '--interactive [options]'],
  about: `
  What is pasted is shown as its blocks and runs with Enter. What is typed runs with an empty line after a complete
  block, or with /run. An envelope may stand alone, without a fence. All runs share one session. /help lists the
  commands, such as /tools, /undo and /diff; Tab completes them, and the names of verbs and parameters.
  Without a terminal the same is read from standard input; there its end runs what is left.
  `,
  jsonLines: true,
  flags: [
    ...SITTING_FLAGS,
    ...EXTENSION_FLAGS,
    { name: 'json', help: 'Print one line of JSON for each run, and nothing else; without a terminal only' },
    { name: 'no-history', help: 'Neither read nor write ~/.hermes/history' },
    NO_GIT_FLAG,
    WAIT_FLAG,
    DURABLE_FLAG,
    YES_FLAG,
  ],
  example: {
    line: 'hermes interactive --root ./project --root-alias /workspace',
    does: 'prompts for answers and runs them in ./project',
  },
  exits: [
    [0, 'ended by the user; without a terminal: all blocks succeeded'],
    [1, 'without a terminal: a block failed or did not parse'],
    [2, 'wrong usage'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).interactive,
}
