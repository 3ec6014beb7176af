import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { HELP_FLAG, JSON_FLAG, WAIT_FLAG } from './common-flags.js'

const FLAGS: readonly Flag[] = [
  { name: 'root', value: 'DIR', help: 'Directory in the repository (default: the working directory)' },
  WAIT_FLAG,
  JSON_FLAG,
  HELP_FLAG,
]
const EXITS: Command['exits'] = [
  [0, 'done'], [1, 'not done, or work could not be put back'], [2, 'wrong usage'], [130, 'interrupted'],
]

/** Commands over the commits of a repository. */
export const HISTORY_COMMANDS: readonly Command[] = [
  {
    name: 'step-back',
    summary: 'Go to the commit before, with unfinished work stashed',
    usage: ['step-back [options]'],
    about: [
      'HEAD moves to the first parent of the current commit; the branch stays where it is. What is not committed,',
      'untracked files included, is stashed first and comes back with step-forward. Ignored files stay.',
    ],
    maxPositionals: 0,
    flags: FLAGS,
    example: { line: 'hermes step-back', does: 'shows the files as they were one commit ago' },
    exits: EXITS,
    load: async () => (await import('./commands/step-back.js')).stepBack,
  },
  {
    name: 'step-forward',
    summary: 'Go towards the commit that step-back left, and get stashed work back',
    usage: ['step-forward [options]'],
    about: [
      'At the last commit the branch is checked out again. Work done meanwhile is stashed for the commit it was done',
      'at. Where a file stands in the way of stashed work, the stash is kept and the file is named.',
    ],
    maxPositionals: 0,
    flags: FLAGS,
    example: { line: 'hermes step-forward', does: 'goes to the next commit' },
    exits: EXITS,
    load: async () => (await import('./commands/step-forward.js')).stepForward,
  },
  {
    name: 'squash',
    summary: 'Make one commit of several that are not pushed yet',
    usage: ['squash [options]'],
    about: [
      'By default the commits that hermes made last become one. Files and index stay as they are. Commits that a',
      'remote branch has, and those before the last merge, are never rewritten. The old head is kept under a ref.',
    ],
    maxPositionals: 0,
    flags: [
      {
        name: 'mode', value: 'MODE', choices: ['auto_ai', 'ai_messages', 'hours', 'days', 'msg_contains'],
        help: 'auto_ai (made by hermes; default), ai_messages ("AI: " first), hours, days, msg_contains',
      },
      {
        name: 'message', short: 'm', value: 'TEXT',
        help: 'Message of the new commit (default: made from the subjects)',
      },
      { name: 'hours', value: 'N', help: 'Commits of the last N hours' },
      { name: 'days', value: 'N', help: 'Commits of the last N days' },
      { name: 'msg-contains', value: 'TEXT', help: 'Commits whose message holds TEXT; case counts' },
      { name: 'all-groups', help: 'Also squash runs of commits that do not reach up to HEAD' },
      ...FLAGS,
    ],
    example: { line: 'hermes squash --hours 8 --message "Add search"', does: "makes one commit of the day's work" },
    exits: [[0, 'done'], [1, 'nothing to squash, or refused'], [2, 'wrong usage'], [130, 'interrupted']],
    load: async () => (await import('./commands/squash.js')).squash,
  },
]
