import * as v from 'valibot'
import { boundedText, defineVerb, HermesError, text } from '../../../0-contracts/src/index.js'
import { MAX_PROGRAMS, TerminalSessions } from '../terminal-sessions/index.js'
import { stateOf } from './program-state.js'
import { RULES, STATE, TERMINAL, waitSeconds } from './terminal-schema.js'
import { admitTyped, firstLine } from './use-shell.js'
import { waitForProgram } from './wait-for-program.js'

const VERB = 'terminal_background'

/** Starts a program beside the task's shell: a server, a watcher, a long build. */
export const terminalBackground = defineVerb({
  ...TERMINAL,
  name: VERB,
  version: '2.1.0',
  description: 'Start a command in a terminal of its own, beside the shell, and return at once with its id. '
    + 'It runs until it '
    + 'ends, is killed, or the session ends.',
  type: 'dynamic',
  constraints: [
    'It starts in the root, in a shell of its own: of the variables and functions of the other it has none.',
    ...RULES.slice(1),
  ],
  primary: 'command',
  asksWithCommand: true,
  args: v.strictObject({
    command: boundedText('What is typed into its shell, e.g. "make watch".', { max: 32_768 }),
    wait_seconds: waitSeconds('How long to wait for its first output, in seconds. Default: 0.'),
  }),
  result: v.strictObject({
    id: text('Its id, for terminal_poll, terminal_input and terminal_kill.'), ...STATE.entries,
  }),
  examples: [{ command: 'npm run dev' }],
  async handler({ command, wait_seconds: wait = 0 }, context) {
    const sessions = TerminalSessions.of(context)
    const task = sessions.task(context)
    if (task.programs.size >= MAX_PROGRAMS) await makeRoom(sessions, task.programs)
    const admitted = await admitTyped(VERB, command, context)
    const shell = await sessions.open(VERB, context.session.root, admitted)
    const execution = shell.start(command, { timeoutMs: Infinity, maxOutputBytes: context.limits.maxOutputBytes })
    const id = `p${++task.count}`
    const program = { id, shell, execution }
    task.programs.set(id, program)
    // Keep its output, but end its shell.
    void execution.ended.then(() => sessions.end(shell))
    await waitForProgram(VERB, execution, { longestMs: wait * 1000, quietMs: 300 }, context.signal)
    return { id, ...stateOf(program) }
  },
})

/** Removes a program to make room, one that has ended first. @throws HermesError `INVALID_PARAMETER` where all run */
async function makeRoom(
  sessions: TerminalSessions, programs: ReturnType<TerminalSessions['task']>['programs'],
): Promise<void> {
  const over = [...programs.values()].find(({ execution }) => execution.ending)
  if (!over) {
    const [first] = programs.values()
    throw new HermesError('INVALID_PARAMETER', `${VERB}: ${MAX_PROGRAMS} programs run already`, {
      hint: `End one with terminal_kill${first ? `, e.g. ${first.id} (${firstLine(first.execution.command)})` : ''}.`,
    })
  }
  programs.delete(over.id)
  await sessions.end(over.shell)
}
