import type { CommandSpec } from '../../command.js'
import { FLAGS } from '../../history-flags.js'

export const command: CommandSpec = {
  name: 'squash',
  summary: 'Make one commit of several that are not pushed yet',
  about: `
  By default the commits that hermes made last become one. Files and index stay as they are. Commits that a
  remote branch has, and those before the last merge, are never rewritten. The old head is kept under a ref.
  `,
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
  load: async () => (await import('./run.js')).squash,
}
