import type { CommandSpec } from '../../command.js'
import { ROOT_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'init',
  summary: 'Set a project up: hermes.yaml, ignore files, a workflow for CI',
  about: `
  Asks about each file. What is there is replaced only where you say so. In a git work tree .hermes/ is ignored, and
  a workflow is offered that replays recorded conversations.
  `,
  flags: [
    ROOT_FLAG,
    { name: 'trust', help: 'Accept the .git, .hermes or hermes.yaml that a command made here; write nothing' },
    { name: 'yes', help: 'Write all that is not there, without asking; replace nothing' },
  ],
  example: { line: 'hermes init', does: 'asks, and writes hermes.yaml with all fields commented out' },
  exits: [[0, 'done'], [2, 'wrong usage, or nobody to ask'], [130, 'interrupted']],
  load: async () => (await import('./run.js')).init,
}
