import * as v from 'valibot'
import { defineVerb, text } from '../../../0-contracts/src/index.js'
import { TerminalSessions } from '../terminal-sessions/index.js'
import { ID, SHELL, STATE, TERMINAL } from './terminal-schema.js'
import { programOf } from './use-shell.js'

const VERB = 'terminal_kill'

/** Ends a program with all that it started. */
export const terminalKill = defineVerb({
  ...TERMINAL,
  name: VERB,
  description: 'End a background program, or the shell, with everything it started, and show what it printed last.',
  type: 'exec',
  constraints: [
    'To interrupt what the shell runs and keep the shell, press ctrl-c with terminal_input.',
    'After the shell was ended the next command begins in a new one, in the root.',
  ],
  primary: 'id',
  args: v.strictObject({ id: ID }),
  result: v.strictObject({ output: STATE.entries.output, command: text('What was ended.') }),
  examples: [{ id: 'p1' }, {}],
  async handler({ id }, context) {
    const sessions = TerminalSessions.of(context)
    const task = sessions.task(context)
    if (id === SHELL && task.shell && !task.execution) {
      await sessions.end(task.shell)
      return { output: '', command: 'the shell' }
    }
    const { shell, execution } = programOf(VERB, id, context)
    execution.stopping ??= 'killed'
    await sessions.end(shell)
    if (id === SHELL) task.execution = undefined
    else task.programs.delete(id)
    return { output: execution.takeOutput(), command: execution.command }
  },
})
