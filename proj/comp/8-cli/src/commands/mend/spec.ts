import type { Command } from '../../command.js'
import { FORMAT_FLAGS, FILE_ABOUT, HELP_FLAG, JSON_FLAG, THINK_FLAG } from '../../common-flags.js'

export const command: Command = {
  name: 'mend',
  summary: 'Print an answer with its blocks mended where only one reading is possible',
  usage: ['mend [FILE|-] [options]'],
  about: [FILE_ABOUT, 'The mended answer goes to standard output, a diff and what is left to standard error.'],
  maxPositionals: 1,
  flags: [...FORMAT_FLAGS, THINK_FLAG, JSON_FLAG, HELP_FLAG],
  example: { line: 'hermes mend answer.md > mended.md', does: 'writes the mended answer for hermes apply mended.md' },
  exits: [
    [0, 'every block that did not parse is mended'],
    [1, 'nothing to mend, or not all is mended'],
    [2, 'wrong usage'],
  ],
  load: async () => (await import('./run.js')).mendCommand,
}
