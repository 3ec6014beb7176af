import type { CommandSpec } from '../../command.js'
import { DURABLE_FLAG, JSON_FLAG } from '../../common-flags.js'
import { FORCE_FLAG, REVERSE_EXITS, RUN_FLAGS, TRUST_FLAG } from '../../undo-flags.js'

export const command: CommandSpec = {
  name: 'undo',
  summary: 'Take back the last run: every file as it was before it',
  about: `
  Stops where files were changed since, and says which. In a git work tree the undo is a commit of its own;
  history is never rewritten. Called again it takes back the run before.
  `,
  flags: [
    { name: 'run', value: 'ID', help: 'Take back this run (see hermes log; '
      + 'the first characters do) instead of the last one' },
    FORCE_FLAG, TRUST_FLAG, ...RUN_FLAGS, DURABLE_FLAG, JSON_FLAG,
  ],
  example: { line: 'hermes undo', does: 'takes back the last hermes apply' },
  exits: REVERSE_EXITS,
  load: async () => (await import('./run.js')).undoCommand,
}
