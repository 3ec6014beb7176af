import type { CommandSpec } from '../../command.js'
import { FORMAT_FLAGS, FILE_ABOUT, JSON_FLAG, THINK_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'parse',
  summary: 'Show the blocks of a text without running them',
  usage: ['parse [FILE|-] [options]'],
  about: FILE_ABOUT,
  maxPositionals: 1,
  flags: [...FORMAT_FLAGS, THINK_FLAG, JSON_FLAG],
  example: { line: 'hermes parse answer.md --json', does: 'prints {blocks, errors, skipped}' },
  exits: [[0, 'every live block parsed'], [1, 'there are parse errors'], [2, 'wrong usage']],
  load: async () => (await import('./run.js')).parseCommand,
}
