import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'update',
  summary: 'Bring this hermes up to date from where it came, or say how that is done',
  usage: ['update [--check|--yes] [options]'],
  about: `
  Shows the commands for the way it was installed: as a git clone, as a dependency of a project, as a global
  package, or by npx. At a terminal it asks once and runs them for a clone (it is pulled and built; where changes
  of yours are in it nothing is touched) and for a dependency whose origin was recorded; then hermes config migrate
  asks. With nobody to ask, and without --yes, it only prints them.
  `,
  flags: [
    { name: 'check', help: 'Only print what would be done' },
    { name: 'yes', help: 'Do it, and migrate the settings, without asking' }, JSON_FLAG,
  ],
  example: { line: 'hermes update --check', does: 'prints the commands, and changes nothing' },
  exits: [
    [0, 'done, or printed'], [1, 'it is to be done, and cannot: the message says why'], [2, 'wrong usage'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).update,
}
