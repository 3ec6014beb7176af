import type { CommandSpec } from '../../command.js'
import { EXITS, FLAGS } from '../../history-flags.js'

export const command: CommandSpec = {
  name: 'step-forward',
  summary: 'Go towards the commit that step-back left, and get stashed work back',
  about: `
  At the last commit the branch is checked out again. Work done meanwhile is stashed for the commit it was done
  at. Where a file stands in the way of stashed work, the stash is kept and the file is named.
  `,
  flags: FLAGS,
  example: { line: 'hermes step-forward', does: 'goes to the next commit' },
  exits: EXITS,
  load: async () => (await import('../step-back/run.js')).stepForward,
}
