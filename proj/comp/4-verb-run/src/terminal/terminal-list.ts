import * as v from 'valibot'
import { defineVerb, integer, text } from '../../../0-contracts/src/index.js'
import { TerminalSessions } from '../terminal-sessions/index.js'
import { SHELL, TERMINAL } from './terminal-schema.js'

/** What the task has open. */
export const terminalList = defineVerb({
  ...TERMINAL,
  name: 'terminal_list',
  description: 'List the shell and the background programs of this task.',
  type: 'exec',
  polls: true,
  accessibility: ['llm', 'user'],
  args: v.strictObject({}),
  result: v.array(v.strictObject({
    id: text('Its id; `shell` is the shell of terminal_run.'),
    command: text('What runs; empty for a shell that waits for a command.'),
    running: v.pipe(v.boolean(), v.description('A command runs.')),
    exit_code: v.optional(
      v.pipe(v.number(), v.description('Of a command that has ended, and was not asked for since.')),
    ),
    seconds: v.optional(integer('How long ago it was started.', 0)),
    cwd: text('The directory of its shell.'),
  })),
  examples: [{}],
  handler(_args, context) {
    const { shell, execution, programs } = TerminalSessions.of(context).task(context)
    const own = shell && !shell.isGone ? [{ id: SHELL, shell, execution }] : []
    return [...own, ...programs.values()].map(one => ({
      id: one.id, command: one.execution?.command ?? '', running: one.execution !== undefined && !one.execution.ending,
      ...(one.execution?.ending && { exit_code: one.execution.ending.status }),
      ...(one.execution && { seconds: Math.floor((Date.now() - one.execution.startedAt) / 1000) }), cwd: one.shell.cwd,
    }))
  },
})
