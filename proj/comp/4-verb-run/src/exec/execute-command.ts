import * as v from 'valibot'
import {
  admitCommand, reachesNetwork, runWithMore, SECONDS, timeLimit, type CommandCall,
} from '../command-processes/index.js'
import {
  boundedText, defineVerb, HermesError, integerBetween, textMap, toolPath,
} from '../../../0-contracts/src/index.js'
import { execData, wallsOf } from './outcome.js'
import { OUTPUT, PROCESS_RULES } from './output-schema.js'
import { requireNoNul, requirePassable } from './plain-text.js'
import { runFirst } from './run-first.js'
import { shellCall } from './shell-call.js'
import { workingDirectory } from './working-directory.js'

const VERB = 'execute_command'

/** Core tool: runs a shell command. */
export const executeCommand = defineVerb({
  name: VERB,
  vocabulary: 'core',
  version: '3.1.0',
  description: 'Run a shell command and return what it printed. The shell is bash where it is installed, else sh; '
    + 'on Windows cmd.',
  category: 'code_execution',
  type: 'dynamic',
  constraints: PROCESS_RULES,
  primary: 'command',
  seldom: ['env'],
  asksWithCommand: true,
  args: v.strictObject({
    command: boundedText('The command line, as typed into a shell, e.g. "npm test -- --silent".', { max: 8192 }),
    working_directory: v.optional(toolPath('Directory to run in, e.g. "src". Default: the root.')),
    timeout_seconds: v.optional(integerBetween(
      'Longest time it may run, in seconds. Default: 300. The user may have set a lower limit.', 1, 3600,
    ), 300),
    env: v.optional(textMap('Environment variables to set for it, e.g. {"CI": "1"}, on top of the usual ones.')),
  }),
  check({ command, env }) {
    requireNoNul(VERB, 'command', command)
    if (command.trim() === '') {
      throw new HermesError('INVALID_PARAMETER', `${VERB}: command is empty`, {
        hint: 'Write the command line that the shell is to run.',
      })
    }
    for (const [name, value] of Object.entries(env ?? {})) requireVariable(name, value)
  },
  result: OUTPUT,
  examples: [
    { command: 'echo "hello from the shell"' },
    { command: 'echo "$GREETING" && ls', env: { GREETING: 'hello' }, timeout_seconds: 30 },
  ],
  async handler({ command, working_directory: directory, timeout_seconds: timeout, env }, context) {
    const limit = timeLimit(timeout, SECONDS, context.limits)
    const { programs, ...call } = shellCall(command)
    const cwd = workingDirectory(VERB, 'working_directory', directory, context)
    const asked: CommandCall = {
      verb: VERB, source: { kind: 'shell', text: command, env }, shown: command, cwd, mayBeOpened: true,
    }
    const admitted = await admitCommand(asked, context)
    const ran = await runWithMore(asked, admitted, async (opened) => runFirst(VERB, programs, {
      ...call, env, cwd, sandbox: context.sandbox, network: reachesNetwork(opened), access: opened.access,
      timeoutMs: limit.timeoutMs, maxOutputBytes: context.limits.maxOutputBytes, runId: context.runId,
      noteProcess: context.noteProcess, signal: context.signal, printing: context.printing,
    }, () => new HermesError('ENOENT', `${VERB}: ${programs.join(' and ')} not found in PATH (ENOENT)`, {
      hint: 'There is no shell here: start the program itself with proc.run.',
    })), (outcome) => wallsOf(outcome, outcome))
    return execData({ verb: VERB, program: 'the command', limit }, ran, context)
  },
})

function requireVariable(name: string, value: string): void {
  if (name === '' || name.includes('=')) {
    throw new HermesError('INVALID_PARAMETER', `${VERB}: '${name}' is no name of an environment variable`, {
      hint: 'A name is not empty and holds no =; write env as {"NAME": "value"}.',
    })
  }
  requirePassable(VERB, 'a name in env', name)
  requirePassable(VERB, `env.${name}`, value)
}
