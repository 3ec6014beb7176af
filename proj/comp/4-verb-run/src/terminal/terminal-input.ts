import * as v from 'valibot'
import { admitCommand } from '../command-processes/index.js'
import { boundedText, defineVerb, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { newsOf, stateOf } from './program-state.js'
import { ID, STATE, TERMINAL, waitSeconds } from './terminal-schema.js'
import { firstLine, forgetEnded, type Program, programOf, requireTypable } from './use-shell.js'
import { waitForProgram } from './wait-for-program.js'

const VERB = 'terminal_input'
const KEYS = {
  enter: '\r', tab: '\t', escape: '\u001b', backspace: '\u007f', up: '\u001b[A', down: '\u001b[B', right: '\u001b[C',
  left: '\u001b[D', 'ctrl-c': '\u0003', 'ctrl-d': '\u0004', 'ctrl-z': '\u001a', 'ctrl-l': '\u000c',
} as const
const WAIT_SECONDS = 5

/** Types text or a key into a running program. */
export const terminalInput = defineVerb({
  ...TERMINAL,
  name: VERB,
  version: '2.1.0',
  description: 'Type a line, or press a key, for a program that runs in the shell or in the background; '
    + 'returns what it then '
    + 'printed.',
  type: 'dynamic',
  polls: true,
  constraints: [
    'It returns when the program has ended, when it prints nothing more, or after wait_seconds.',
    'Text is followed by Enter unless enter is false; key is pressed after it.',
  ],
  primary: 'text',
  asksWithCommand: true,
  args: v.strictObject({
    id: ID,
    text: v.optional(boundedText('What to type, e.g. "yes".', { min: 0, max: 8192 })),
    enter: v.optional(v.pipe(v.boolean(), v.description('Press Enter after the text.')), true),
    key: v.optional(v.pipe(v.picklist(Object.keys(KEYS) as (keyof typeof KEYS)[]), v.description('A key to press.'))),
    wait_seconds: waitSeconds('How long to wait for what it prints, in seconds. Default: 5.'),
  }),
  result: STATE,
  examples: [{ text: 'yes' }, { id: 'p1', key: 'ctrl-c' }],
  async handler({ id, text, enter, key, wait_seconds: wait = WAIT_SECONDS }, context) {
    if (text === undefined && key === undefined) {
      throw new HermesError(
        'MISSING_PARAMETER', `${VERB}: neither text nor key is given`, { hint: 'Write text, key, or both.' },
      )
    }
    requireTypable(VERB, 'text', text ?? '')
    const program = programOf(VERB, id, context)
    const { execution, shell } = program
    if (execution.ending) {
      throw new HermesError('INVALID_PARAMETER', `${VERB}: it has ended: ${firstLine(execution.command)}`, {
        hint: 'terminal_poll shows what it printed. Nothing was typed.',
      })
    }
    const typed = text === undefined ? '' : text.replaceAll('\n', '\r') + (enter ? '\r' : '')
    const pressed = typed + (key === undefined ? '' : KEYS[key])
    await admitInput(program, { typed, key }, context)
    shell.read.type(pressed)
    execution.read.type(pressed)
    shell.write(pressed)
    await waitForProgram(VERB, execution, { longestMs: wait * 1000, quietMs: 300 }, context.signal)
    for (const line of newsOf(program)) context.advise?.(line)
    forgetEnded(id, program, context)
    return stateOf(program)
  },
})

/** Checks typed text like a command: a line may come in parts, and a shell usually reads it. */
async function admitInput(
  { shell, execution }: Program, { typed, key }: { typed: string; key: string | undefined }, context: VerbContext,
): Promise<void> {
  const words = shell.reader
  const { read } = words === undefined ? shell : execution
  const lines = typed === '' ? '' : read.after(typed)
  const { command } = context.policyAsks ?? {}
  await admitCommand({
    verb: VERB, source: { kind: 'shell', text: lines }, shown: typed === '' ? `(${key ?? 'nothing'})` : lines,
    before: shell.read.before, ...(words && { lang: words.join(' '), reader: { words, before: read.before } }),
    cwd: shell.cwd, heldBy: shell.program.sandbox,
  }, { ...context, policyAsks: { ...(command !== undefined && { command }) } })
}
