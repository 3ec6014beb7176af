import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'
import { RUN_FLAGS, TRUST_FLAG } from '../../undo-flags.js'

export const command: CommandSpec = {
  name: 'recover',
  summary: 'Finish or take back a run whose process died',
  about: `
  After a crash or kill -9 the next run stops and says so. recover removes what was left half-done, then keeps
  what the run had done, with its commit; with --restore it puts back every file as it was before the run.
  What was changed after the run died, maybe by you, stays, and is named.
  `,
  flags: [
    { name: 'restore', help: 'Put everything back as it was before the run' },
    { name: 'force', help: 'With --restore: also put back what was changed after the run died' },
    TRUST_FLAG, ...RUN_FLAGS, JSON_FLAG,
  ],
  example: { line: 'hermes recover --restore', does: 'undoes the interrupted run' },
  exits: [
    [0, 'done, or there was nothing to do'], [1, 'some paths could not be put back'], [2, 'wrong usage'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).recoverCommand,
}
