import type { CommandSpec } from '../../command.js'
import {
  FILE_ABOUT, JSON_FLAG, NO_GIT_FLAG, SITTING_FLAGS, THINK_FLAG, WAIT_FLAG, YES_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'mend',
  summary: 'Print an answer with its blocks mended where only one reading is possible',
  usage: ['mend [FILE|-] [options]'],
  about: `
  ${FILE_ABOUT}
  The mended answer goes to standard output, a diff and what is left to standard error. A dry run says
  which blocks do not fit their verbs; nothing runs, unless with --apply you say so at the terminal.
  `,
  maxPositionals: 1,
  flags: [
    { name: 'apply', help: 'Show the diff, ask, and run the mended answer as hermes apply does' },
    { name: 'plan', value: 'FILE', help: 'Save what the mended answer would do, for hermes apply --plan FILE' },
    ...SITTING_FLAGS, THINK_FLAG, JSON_FLAG, NO_GIT_FLAG, WAIT_FLAG, YES_FLAG,
  ],
  example: { line: 'hermes mend answer.md > mended.md', does: 'writes the mended answer for hermes apply mended.md' },
  exits: [
    [0, 'every block that did not parse, or not fit its verb, is mended; with --apply or --plan as hermes apply'],
    [1, 'nothing to mend, not all is mended, or you did not agree'],
    [2, 'wrong usage, or nothing could run'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).mendCommand,
}
