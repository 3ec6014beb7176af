import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'uninstall',
  summary: 'Keep or remove your files, and say how hermes itself is removed',
  usage: ['uninstall [--keep-data|--remove-data] [options]'],
  about: `
  Lists what hermes made in ~/.hermes, asks, and removes just that; of a link the link alone. What else is there stays,
  and so do the .hermes directories of projects. The program it leaves where it is, and says what removes it.
  `,
  flags: [
    { name: 'keep-data', help: 'Keep your files, without asking' },
    { name: 'remove-data', help: 'Remove them, without asking' }, JSON_FLAG,
  ],
  example: { line: 'hermes uninstall --keep-data', does: 'removes nothing, and says how to remove the program' },
  exits: [
    [0, 'done'], [2, 'wrong usage, nobody to ask, ~/.hermes is a link, or cron run or gateway works'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).uninstall,
}
