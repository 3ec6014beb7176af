import { admitCommand, reachesNetwork } from '../command-processes/index.js'
import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { type Execution, type Shell, type TaskTerminals, TerminalSessions } from '../terminal-sessions/index.js'
import { SHELL } from './terminal-schema.js'

export interface Program {
  shell: Shell
  execution: Execution
}

/**
 * Asks for the approvals of a command that is to be typed into a shell. @param shell that will run it, if it exists
 * @returns the context for the shell
 * @throws HermesError `INVALID_PARAMETER`, `SHELL_BUSY`, `APPROVAL_DENIED`, and what the sandbox says
 */
export async function admitTyped(
  verb: string, command: string, context: VerbContext, shell?: Shell,
): Promise<VerbContext> {
  requireTypable(verb, 'command', command)
  if (command.trim() === '') {
    throw new HermesError('INVALID_PARAMETER', `${verb}: command is empty`, { hint: 'Write the command line that the '
      + 'shell is to run.' })
  }
  if (shell?.current) throw busy(verb, shell.current)
  const live = shell?.isGone === false ? shell : undefined
  return admitCommand({
    verb, source: { kind: 'shell', text: command }, shown: command, before: live?.read.all,
    cwd: live?.cwd ?? context.session.root,
  }, context)
}

/** @throws HermesError `INVALID_PARAMETER` */
export function requireTypable(verb: string, name: string, text: string): void {
  if (!text.includes('\0')) return
  throw new HermesError('INVALID_PARAMETER', `${verb}: ${name} must not contain NUL characters`, {
    hint: 'Write an escape such as \\0 in the command instead.',
  })
}

/**
 * The task's shell, started if there is none.
 *
 * @returns `news`: a note if it is not the shell of the previous call
 * @throws HermesError `SHELL_BUSY`, and as `TerminalSessions.open`
 */
export async function taskShell(
  verb: string, context: VerbContext,
): Promise<{ shell: Shell; news: string | undefined }> {
  const sessions = TerminalSessions.of(context)
  const task = sessions.task(context)
  const { shell } = task
  if (shell?.current) throw busy(verb, shell.current)
  if (shell && !shell.isGone && shell.hasNetwork === reachesNetwork(context)) return { shell, news: undefined }
  const news = shell && whyNew(shell)
  if (shell) await sessions.end(shell)
  task.shell = undefined
  task.shell = await sessions.open(verb, context.session.root, context)
  return { shell: task.shell, news }
}

function whyNew({ isGone, hasNetwork }: Shell): string {
  const why = isGone ? 'The shell had ended' : `The network is now ${hasNetwork ? 'closed' : 'open'} to commands`
  return `${why}: this ran in a new one, which began in the root, without the variables and functions of the other.`
}

function busy(verb: string, { command }: Execution): HermesError {
  return new HermesError('SHELL_BUSY', `${verb}: the shell still runs: ${firstLine(command)}`, {
    hint: 'terminal_poll waits for it, terminal_input types to it ({"key": "ctrl-c"} interrupts it), '
      + 'terminal_background '
      + 'runs a command beside it.',
  })
}

/** The command's first line, cut, for a message. */
export function firstLine(command: string): string {
  const [line = '', ...more] = command.trim().split('\n')
  const short = line.length > 100 ? `${line.slice(0, 100)}…` : line
  return more.length > 0 ? `${short} …` : short
}

/** @throws HermesError `INVALID_PARAMETER` where there is no such program */
export function programOf(verb: string, id: string, context: VerbContext): Program {
  const task = TerminalSessions.of(context).task(context)
  const program = id === SHELL ? shellProgram(task) : task.programs.get(id)
  if (program) return program
  const ids = [...(shellProgram(task) ? [SHELL] : []), ...task.programs.keys()]
  throw new HermesError('INVALID_PARAMETER', id === SHELL ? `${verb}: the shell runs nothing` : `${verb}: no program `
    + `has the id '${id}'`, {
    hint: ids.length === 0 ? 'Nothing runs: terminal_run and terminal_background start commands.'
      : `Ids: ${ids.join(', ')}.`,
  })
}

function shellProgram({ shell, execution }: TaskTerminals): Program | undefined {
  return shell && execution ? { shell, execution } : undefined
}

/** What has ended and was told of is not listed again. */
export function forgetEnded(id: string, { execution }: Program, context: VerbContext): void {
  if (!execution.ending) return
  const task = TerminalSessions.of(context).task(context)
  if (id !== SHELL) task.programs.delete(id)
  else if (task.execution === execution) task.execution = undefined
}
