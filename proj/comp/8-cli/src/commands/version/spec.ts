import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'version',
  summary: 'Show the version of hermes, where it is, and how it was installed',
  about: 'hermes --version prints the version alone.',
  flags: [JSON_FLAG],
  example: { line: 'hermes version', does: 'prints the versions of hermes and Node.js' },
  exits: [[0, 'done'], [2, 'wrong usage']],
  load: async () => (await import('./run.js')).version,
}
