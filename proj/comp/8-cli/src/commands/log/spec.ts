import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'
import { RUN_ROOT_FLAG } from '../../undo-flags.js'

export const command: CommandSpec = {
  name: 'log',
  summary: 'List the runs of a root: time, blocks, failures, files, commit, extensions',
  usage: ['log [RUN] [options]'],
  about: `
  The newest run comes first. Journals of the last 100 runs are kept under .hermes/. RUN (an id, the beginning of
  one, or last) shows one run alone, with what extensions changed of its answer.
  `,
  maxPositionals: 1,
  flags: [
    RUN_ROOT_FLAG, { name: 'limit', value: 'N', help: 'Show at most N runs (default: 20)' },
    { name: 'verify', help: 'Check the signatures of all runs, and that none between them is missing' },
    JSON_FLAG,
  ],
  example: { line: 'hermes log --limit 3', does: 'shows the last three runs' },
  exits: [[0, 'done'], [1, '--verify: not every run is signed and there'], [2, 'wrong usage']],
  load: async () => (await import('./run.js')).log,
}
