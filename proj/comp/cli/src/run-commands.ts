import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { DURABLE_FLAG, HELP_FLAG, JSON_FLAG, NO_GIT_FLAG, WAIT_FLAG } from './common-flags.js'

/** Flags of the commands that take runs back. */
const ROOT_FLAG: Flag = {
  name: 'root', value: 'DIR', help: 'Directory the run worked in (default: the working directory)',
}
const RUN_FLAGS: readonly Flag[] = [
  ROOT_FLAG,
  { name: 'allow', value: 'DIR', repeatable: true, help: 'Another directory the run was allowed to write; repeatable' },
  NO_GIT_FLAG,
  WAIT_FLAG,
]
const FORCE_FLAG: Flag = {
  name: 'force', help: 'Where files were changed since, keep the change and merge, with conflict markers',
}
const REVERSE_EXITS: Command['exits'] = [
  [0, 'done'], [1, 'nothing was done, or not everything could be put back'], [2, 'wrong usage, or the commit failed'],
  [130, 'interrupted'],
]

/** What takes back, repeats, lists and mends runs. */
export const RUN_COMMANDS: readonly Command[] = [
  {
    name: 'undo',
    summary: 'Take back the last run: every file as it was before it',
    usage: ['undo [options]'],
    about: [
      'Stops where files were changed since, and says which. In a git work tree the undo is a commit of its own;',
      'history is never rewritten. Called again it takes back the run before.',
    ],
    maxPositionals: 0,
    flags: [
      { name: 'run', value: 'ID', help: 'Take back this run (see hermes log; '
        + 'the first characters do) instead of the last one' },
      FORCE_FLAG, ...RUN_FLAGS, DURABLE_FLAG, JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes undo', does: 'takes back the last hermes apply' },
    exits: REVERSE_EXITS,
    load: async () => (await import('./commands/undo.js')).undoCommand,
  },
  {
    name: 'redo',
    summary: 'Repeat the run that was taken back last',
    usage: ['redo [options]'],
    about: ['Works until the next run.'],
    maxPositionals: 0,
    flags: [FORCE_FLAG, ...RUN_FLAGS, DURABLE_FLAG, JSON_FLAG, HELP_FLAG],
    example: { line: 'hermes redo', does: 'makes undone changes again' },
    exits: REVERSE_EXITS,
    load: async () => (await import('./commands/undo.js')).redoCommand,
  },
  {
    name: 'log',
    summary: 'List the runs of a root: time, blocks, failures, files, commit',
    usage: ['log [options]'],
    about: ['The newest run comes first. Journals of the last 100 runs are kept under .hermes/.'],
    maxPositionals: 0,
    flags: [
      ROOT_FLAG, { name: 'limit', value: 'N', help: 'Show at most N runs (default: 20)' }, JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes log --limit 3', does: 'shows the last three runs' },
    exits: [[0, 'done'], [2, 'wrong usage']],
    load: async () => (await import('./commands/log.js')).log,
  },
  {
    name: 'recover',
    summary: 'Finish or take back a run whose process died',
    usage: ['recover [options]'],
    about: [
      'After a crash or kill -9 the next run stops and says so. recover removes what was left half-done, then keeps',
      'what the run had done, with its commit; with --restore it puts back every file as it was before the run.',
      'What was changed after the run died, maybe by you, stays, and is named.',
    ],
    maxPositionals: 0,
    flags: [
      { name: 'restore', help: 'Put everything back as it was before the run' },
      { name: 'force', help: 'With --restore: also put back what was changed after the run died' },
      ...RUN_FLAGS, JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes recover --restore', does: 'undoes the interrupted run' },
    exits: [
      [0, 'done, or there was nothing to do'], [1, 'some paths could not be put back'], [2, 'wrong usage'],
      [130, 'interrupted'],
    ],
    load: async () => (await import('./commands/recover.js')).recoverCommand,
  },
]
