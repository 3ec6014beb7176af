import type { CommandSpec } from '../../command.js'
import { EXITS, FLAGS } from '../../history-flags.js'

export const command: CommandSpec = {
  name: 'step-back',
  summary: 'Go to the commit before, with unfinished work stashed',
  about: `
  HEAD moves to the first parent of the current commit; the branch stays where it is. What is not committed,
  untracked files included, is stashed first and comes back with step-forward. Ignored files stay.
  `,
  flags: FLAGS,
  example: { line: 'hermes step-back', does: 'shows the files as they were one commit ago' },
  exits: EXITS,
  load: async () => (await import('./run.js')).stepBack,
}
