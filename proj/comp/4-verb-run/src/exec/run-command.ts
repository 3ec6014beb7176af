import { constants } from 'node:os'
import { HermesError, isNodeError, type SandboxName, type VerbContext } from '../../../0-contracts/src/index.js'
import { admitCommand, CappedOutput, reachesNetwork } from '../command-processes/index.js'
import { killed } from './outcome.js'
import { programPath } from './program-path.js'
import { notStarted } from './run-first.js'
import { type ProcessOutcome, runProcess } from './run-process.js'
import { shellCall } from './shell-call.js'

/** A command of the user or the project, such as a hook, rather than of a model. */
export interface CommandRun {
  /** Messages begin with it. */
  name: string
  /** A program with its arguments, or a shell line with the values of `$1`, `$2`, …. */
  command: { words: readonly string[] } | { text: string; args: readonly string[] }
  /** The command as shown to people. */
  shown: string
  timeoutMs: number
  /** Most bytes kept of its output. */
  maxOutputBytes: number
  /** Whether the user wrote it: then nobody is asked whether it is dangerous. */
  isOfUser: boolean
}

export interface CommandOutcome {
  /** Both streams, in order of arrival. */
  output: string
  sandbox: SandboxName
  /** `undefined` if it was stopped. */
  exitCode?: number
  /** Why it failed. */
  failure?: { code: string; error: string; hint?: string }
}

/**
 * Runs a command in the root under the same conditions as models' commands: same approvals, same sandbox, stdin closed,
 * child processes ended with it.
 *
 * @throws HermesError where it was not started: `APPROVAL_DENIED`, `NOT_INSTALLED`, Node's codes
 */
export async function runCommand(run: CommandRun, context: VerbContext): Promise<CommandOutcome> {
  const { name, command, shown, timeoutMs } = run
  if (run.isOfUser) await context.sandbox.admit(name, shown, context.approve)
  else {
    const source = 'text' in command ? { kind: 'shell' as const, text: command.text }
      : { kind: 'program' as const, words: [...command.words] }
    await admitCommand({ verb: name, source, shown, cwd: context.session.root }, context)
  }
  const output = new CappedOutput(run.maxOutputBytes)
  const outcome = await start(run, context, output)
  const { sandbox, exitCode } = outcome
  const text = output.text()
  const failure = failureOf(name, outcome, timeoutMs, text)
  return {
    output: text, sandbox, ...(outcome.stopped === undefined && { exitCode: codeOf(exitCode, outcome.exitSignal) }),
    ...(failure && { failure }),
  }
}

async function start(
  { name, command, timeoutMs }: CommandRun, context: VerbContext, output: CappedOutput,
): Promise<ProcessOutcome> {
  const { gate, noteProcess, runId, sandbox, session, signal } = context
  const cwd = gate.approve(session.root, 'read')
  for (const { file, args, isVerbatim } of programsOf(command, context)) {
    try {
      const program = await sandbox.confine({
        verb: name, file, args, cwd, network: reachesNetwork(context), ...(isVerbatim && { isVerbatim }),
      })
      return await runProcess({ program, runId, timeoutMs, noteProcess, signal }, { stdout: output, stderr: output })
    } catch (error) {
      if (!isNodeError(error)) throw error
      if (error.code !== 'ENOENT') throw notStarted(name, file, error)
    }
  }
  const [program] = programsOf(command, context)
  throw new HermesError('ENOENT', `${name}: ${program?.file ?? 'the program'} not found (ENOENT)`, {
    hint: 'Install it, or mend the command; a name without a slash is looked for in PATH, a path starts at the root.',
  })
}

interface Start {
  file: string
  args: readonly string[]
  isVerbatim?: boolean
}

function programsOf(command: CommandRun['command'], context: VerbContext): Start[] {
  if (!('text' in command)) {
    const [program = '', ...args] = command.words
    return [{ file: programPath(program, context), args }]
  }
  const { programs, args, isVerbatim = false } = shellCall(command.text)
  // Arguments after the line become $0, $1, …: the shell runs none of them as code.
  return programs.map(
    (file) => ({ file, args: [...args, ...(isVerbatim ? [] : ['hook', ...command.args])], isVerbatim }),
  )
}

function codeOf(exitCode: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? exitCode ?? -1 : 128 + constants.signals[signal]
}

function failureOf(
  name: string, { stopped, exitCode, exitSignal, explain }: ProcessOutcome, timeoutMs: number, output: string,
): CommandOutcome['failure'] {
  switch (stopped) {
    case undefined: break
    case 'timeout': return {
      code: 'TIMEOUT', error: `${name} was stopped after ${timeoutMs / 1000} s, its time limit`,
      hint: `${killed()} Give it more time, or less to do.`,
    }
    case 'cancelled': return {
      code: 'CANCELLED', error: `${name} was cancelled`, hint: 'The run was stopped from outside.',
    }
    default: return {
      code: 'NONZERO_EXIT', error: `${name} was stopped: too much of the machine (${stopped})`,
      hint: `${killed()} limits in the policy say how much it may use.`,
    }
  }
  const code = codeOf(exitCode, exitSignal)
  if (code === 0) return undefined
  const how = exitSignal === null ? `exited with code ${code}` : `was killed by ${exitSignal} (exit code ${code})`
  const walls = explain(output.slice(-4096))?.hint
  const hints = [...(output.trim() === '' ? ['It printed nothing.'] : []), ...(walls === undefined ? [] : [walls])]
  return { code: 'NONZERO_EXIT', error: `${name} ${how}`, ...(hints.length > 0 && { hint: hints.join('\n') }) }
}
