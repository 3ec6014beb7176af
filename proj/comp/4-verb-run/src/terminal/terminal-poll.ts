import * as v from 'valibot'
import { defineVerb } from '../../../0-contracts/src/index.js'
import { newsOf, stateOf } from './program-state.js'
import { ID, STATE, TERMINAL, waitSeconds } from './terminal-schema.js'
import { forgetEnded, programOf } from './use-shell.js'
import { waitForProgram } from './wait-for-program.js'

const VERB = 'terminal_poll'

/** What a program has printed since it was last asked for. */
export const terminalPoll = defineVerb({
  ...TERMINAL,
  name: VERB,
  version: '2.1.0',
  description: 'Show what a running program has printed since it was last asked for, and whether it has ended.',
  type: 'exec',
  polls: true,
  constraints: [
    'A program that has ended is forgotten once that was shown.',
    'Its exit code is data: one other than 0 is no failure here.',
  ],
  primary: 'id',
  args: v.strictObject({ id: ID, wait_seconds: waitSeconds('How long to wait for its end, in seconds. Default: 0.') }),
  result: STATE,
  examples: [{ id: 'p1' }, { wait_seconds: 30 }],
  async handler({ id, wait_seconds: wait = 0 }, context) {
    const program = programOf(VERB, id, context)
    await waitForProgram(VERB, program.execution, { longestMs: wait * 1000 }, context.signal)
    for (const line of newsOf(program)) if (id === 'shell') context.advise?.(line)
    forgetEnded(id, program, context)
    return stateOf(program)
  },
})
