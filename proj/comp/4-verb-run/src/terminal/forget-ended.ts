import type { VerbContext } from '../../../0-contracts/src/index.js'
import { TerminalSessions } from '../terminal-sessions/index.js'
import { SHELL } from './terminal-schema.js'
import type { Program } from './use-shell.js'

/** What has ended and was told of is not listed again. */
export function forgetEnded(id: string, { execution }: Program, context: VerbContext): void {
  if (!execution.ending) return
  const task = TerminalSessions.of(context).task(context)
  if (id !== SHELL) task.programs.delete(id)
  else if (task.execution === execution) task.execution = undefined
}
