import * as v from 'valibot'
import { SECONDS, timeLimit } from '../command-processes/index.js'
import { boundedText, defineVerb, integerBetween, untilAborted } from '../../../0-contracts/src/index.js'
import { TerminalSessions } from '../terminal-sessions/index.js'
import { checkedState, newsOf } from './program-state.js'
import { RULES, STATE, TERMINAL, waitSeconds } from './terminal-schema.js'
import { admitTyped, taskShell } from './use-shell.js'
import { waitForProgram } from './wait-for-program.js'

const VERB = 'terminal_run'

/** Runs a command in the task's own shell, which stays open between calls. */
export const terminalRun = defineVerb({
  ...TERMINAL,
  name: VERB,
  version: '2.1.0',
  description: 'Run a command in the shell of this task, on a terminal, and return what the screen shows. Directory, '
    + 'variables and functions stay for the next command.',
  type: 'dynamic',
  constraints: [
    ...RULES,
    'A command that has not ended after timeout_seconds is interrupted as by Ctrl-C; '
    + 'where that does not help the shell is '
      + 'replaced by a new one.',
    'A program that asks something waits for terminal_input: give wait_seconds, '
      + 'so that the call returns while it runs.',
    'An exit code other than 0 is a failure; its output is kept.',
  ],
  primary: 'command',
  asksWithCommand: true,
  args: v.strictObject({
    command: boundedText(
      'What is typed into the shell, of one or more lines, e.g. "cd src && export DEBUG=1".', { max: 32_768 },
    ),
    timeout_seconds: v.optional(integerBetween(
      'Longest time it may run, in seconds. Default: 120. The user may have set other limits.', 1, 3600,
    )),
    wait_seconds: waitSeconds('Return after so many seconds, though it still runs. Default: wait until it has ended.'),
  }),
  result: STATE,
  examples: [
    { command: 'cd /tmp && export GREETING=hello' }, { command: 'echo "$GREETING from $PWD"', timeout_seconds: 30 },
  ],
  async handler({ command, timeout_seconds: timeout, wait_seconds: wait }, context) {
    const admitted = await admitTyped(VERB, command, context, TerminalSessions.of(context).task(context).shell)
    const limit = timeLimit(timeout, SECONDS, context.limits)
    const { shell, news } = await taskShell(VERB, admitted)
    const execution = shell.start(command, {
      timeoutMs: limit.timeoutMs, maxOutputBytes: context.limits.maxOutputBytes, printing: context.printing,
    })
    const task = TerminalSessions.of(context).task(context)
    task.execution = execution
    const waited = wait === undefined ? async () => execution.ended
      : async () => waitForProgram(VERB, execution, { longestMs: wait * 1000 }, context.signal)
    await untilAborted<unknown>(context.signal, () => void shell.stop('cancelled'), waited)
      .finally(() => execution.hush())
    const program = { shell, execution }
    if (execution.ending) task.execution = undefined
    const state = checkedState(VERB, program, limit)
    const lines = [...(news === undefined ? [] : [news]), ...newsOf(program)]
    if (lines.length > 0) context.advise?.(lines.join('\n'))
    return state
  },
})
