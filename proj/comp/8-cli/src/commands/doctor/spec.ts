import type { CommandSpec } from '../../command.js'
import { JSON_FLAG, ROOT_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'doctor',
  summary: 'Look at all that runs need here, and say what to do where something is missing',
  about: `
  Node, git, interpreters, the sandbox (a command is really tried in it), the root and its .hermes, the policy files,
  optional packages, and with --queue a Redis server. Nothing in the root is changed.
  `,
  flags: [
    ROOT_FLAG,
    { name: 'queue', value: 'URL', help: 'Also ask this Redis server: redis://host:6379/0; '
      + 'its password may stand in HERMES_QUEUE_PASSWORD' },
    JSON_FLAG,
  ],
  example: { line: 'hermes doctor', does: 'says what is there, and how to mend what is not' },
  exits: [
    [0, 'nothing is in the way; notes do not count'], [1, 'there are warnings or problems'], [2, 'wrong usage'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).doctor,
}
