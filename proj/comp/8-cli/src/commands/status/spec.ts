import type { Command } from '../../command.js'
import { HELP_FLAG, JSON_FLAG } from '../../common-flags.js'

export const command: Command = {
  name: 'status',
  summary: 'Show what the agent would work with: model, server, key, toolsets, jobs, gateway',
  usage: ['status [options]'],
  about: ['Each with the flag, variable or line that says so. Of keys it tells only whether they are set.'],
  maxPositionals: 0,
  flags: [JSON_FLAG, HELP_FLAG],
  example: { line: 'hermes status', does: 'shows the model, and where it is configured' },
  exits: [[0, 'done'], [2, 'wrong usage, or a file cannot be read']],
  load: async () => (await import('./run.js')).status,
}
