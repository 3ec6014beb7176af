import type { CommandSpec } from '../../command.js'
import { DURABLE_FLAG, JSON_FLAG } from '../../common-flags.js'
import { FORCE_FLAG, REVERSE_EXITS, RUN_FLAGS, TRUST_FLAG } from '../../undo-flags.js'

export const command: CommandSpec = {
  name: 'redo',
  summary: 'Repeat the run that was taken back last',
  about: 'Works until the next run.',
  flags: [FORCE_FLAG, TRUST_FLAG, ...RUN_FLAGS, DURABLE_FLAG, JSON_FLAG],
  example: { line: 'hermes redo', does: 'makes undone changes again' },
  exits: REVERSE_EXITS,
  load: async () => (await import('../undo/run.js')).redoCommand,
}
