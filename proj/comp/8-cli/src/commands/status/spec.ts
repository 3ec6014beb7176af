import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'status',
  summary: 'Show what the agent would work with: model, server, key, toolsets, jobs, gateway',
  about: 'Each with the flag, variable or line that says so. Of keys it tells only whether they are set.',
  flags: [JSON_FLAG],
  example: { line: 'hermes status', does: 'shows the model, and where it is configured' },
  exits: [[0, 'done'], [2, 'wrong usage, or a file cannot be read']],
  load: async () => (await import('./run.js')).status,
}
