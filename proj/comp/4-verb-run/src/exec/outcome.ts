import { constants } from 'node:os'
import { advice, type Ran, type TimeLimit } from '../command-processes/index.js'
import {
  HermesError, type SandboxAccess, type SandboxName, type VerbContext, type Walls,
} from '../../../0-contracts/src/index.js'
import type { ProcessOutcome } from './run-process.js'
import type { ProgramOutcome } from './run-program.js'

/** How many lines of stderr a hint shows. */
const LAST_LINES = 3

/** Node gives children sockets for pipes, and a socket cannot be opened by name. */
const SOCKET = /\/dev\/(stdout|stderr|fd\/\d)/
const SOCKET_HINT = '/dev/stdout and /dev/stderr cannot be opened here: write >&2 for > /dev/stderr, and >&1 for '
  + '> /dev/stdout.'

const EXCESS = { memory: 'much memory', processes: 'many processes' } as const
const EXCESS_ADVICE = {
  memory: 'The limit of memory holds for all its processes together, with the files in /tmp and the home: use less, '
    + 'or work in parts.',
  processes: 'Start fewer processes and threads at the same time; only the user can raise the limit.',
} as const
/** How much of each stream is looked through for signs of the sandbox, in UTF-16 units. */
const LAST_UNITS = 4096

const KILLED = {
  linux: 'It was killed with all its processes.',
  win32: 'It was killed with the processes below it; one whose parent had ended may still run.',
  others: 'It was killed with its process group; a process that left the group may still run.',
}

/** The verb, and what it calls the program in its messages. */
export interface Caller {
  verb: string
  program: string
  limit: TimeLimit
}

export interface ExecData {
  stdout: string
  stderr: string
  sandbox: SandboxName
  access?: SandboxAccess
  exit_code: number
}

/** What is known of a run that ended: its data, and what it printed last. */
export interface Findings<Data> {
  data(exitCode: number): Data
  /** The end of both streams at least. */
  stdout: string
  stderr: string
  /** What else a failure's hint says. */
  note?: string | undefined
}

/**
 * What a finished program's outcome means for `exec` and the like.
 * @throws HermesError `TIMEOUT`, `CANCELLED` or `NONZERO_EXIT`, with what was printed as `data`
 */
export function execData(
  caller: Caller, { outcome, access, note: about }: Ran<ProgramOutcome>, { advise }: Pick<VerbContext, 'advise'>,
): ExecData {
  const { stdout, stderr, sandbox, omittedBytes } = outcome
  const cut = omittedBytes === 0
    ? undefined
    : 'The output was cut in the middle: print less, or write it to a file and read parts of that.'
  const data = (exitCode: number): ExecData => ({
    stdout, stderr, sandbox, ...(access !== undefined && { access }), exit_code: exitCode,
  })
  const note = [about, cut].filter(Boolean).join('\n') || undefined
  const exitCode = checkedExit(caller, outcome, { data, stdout, stderr, note })
  if (about !== undefined) advise?.(about)
  return data(exitCode)
}

/** What the sandbox kept from a program that failed by itself. */
export function wallsOf(
  { stopped, exitCode, explain }: ProcessOutcome, { stdout, stderr }: Pick<ProgramOutcome, 'stdout' | 'stderr'>,
): Walls | undefined {
  if (stopped !== undefined || exitCode === 0) return undefined
  return explain(`${stdout.slice(-LAST_UNITS)}\n${stderr.slice(-LAST_UNITS)}`)
}

/** The exit code when it is 0. @throws HermesError `TIMEOUT`, `CANCELLED` or `NONZERO_EXIT` with the findings' data */
export function checkedExit<Data>(
  { verb, program, limit }: Caller, outcome: ProcessOutcome,
  findings: Findings<Data>,
): number {
  const hint = (first: string) => findings.note === undefined ? first : `${first}\n${findings.note}`
  const { stopped, exitSignal } = outcome
  const code = exitCodeOf(outcome)
  if (stopped === 'cancelled') throw cancelled(verb, findings.data(code))
  if (stopped === 'timeout') {
    throw new HermesError('TIMEOUT', `${verb}: Process timeout after ${limit.timeoutMs / 1000}s (TIMEOUT)`, {
      data: findings.data(code), hint: hint(`${killed()} ${advice(limit)}`),
    })
  }
  if (stopped === 'memory' || stopped === 'processes') {
    throw new HermesError('NONZERO_EXIT', `${verb}: ${program} was stopped: too ${EXCESS[stopped]}`, {
      data: findings.data(code), hint: hint(`${killed()} ${EXCESS_ADVICE[stopped]}`),
    })
  }
  if (code === 0) return code
  const message = exitSignal === null
    ? `${verb}: ${program} exited with code ${code}${signalWords(code)}`
    : `${verb}: ${program} was killed by ${exitSignal} (exit code ${code})`
  throw new HermesError('NONZERO_EXIT', message, {
    data: findings.data(code),
    hint: hint([
      lastWords(findings.stdout, findings.stderr), wallsOf(outcome, findings)?.hint,
    ].filter(Boolean).join('\n')),
  })
}

/** As `timeout` of coreutils has it. */
const TIMED_OUT = 124

/** As a shell has it; one that hermes stopped, and whose end tells no code, was killed. */
export function exitCodeOf({ stopped, exitSignal, exitCode }: ProcessOutcome): number {
  if (stopped === 'timeout') return TIMED_OUT
  if (exitSignal !== null) return 128 + constants.signals[exitSignal]
  return exitCode ?? 128 + constants.signals.SIGKILL
}

/** In a sandbox, as in a shell, a signal shows as a code only. */
function signalWords(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  return signal === undefined ? '' : ` (as after ${signal})`
}

export function cancelled(verb: string, data?: unknown): HermesError {
  return new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, {
    data, hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

/** What became of the processes of a program that was stopped. */
export function killed(): string {
  const { platform } = process
  return platform === 'linux' || platform === 'win32' ? KILLED[platform] : KILLED.others
}

/** What most likely names the cause: the last error line of stderr, else its last lines. */
function lastWords(stdout: string, stderr: string): string {
  const lines = nonEmptyLines(stderr)
  const cause = lines.findLastIndex(one => /^[\w.:]*(Error|Exception)\b/.test(one))
  if (lines.some(one => one.includes('No such device') && SOCKET.test(one))) return SOCKET_HINT
  if (cause !== -1) return `stderr says: ${shortened(lines[cause] ?? '')}`
  if (lines.length > 0) return `stderr says: ${lines.slice(-LAST_LINES).map(one => shortened(one.trim())).join(' | ')}`
  const printed = nonEmptyLines(stdout).at(-1)
  if (printed !== undefined) return `stderr is empty; stdout ends with: ${shortened(printed)}`
  return 'It printed nothing. Print what it does (bash: set -x) and run it again.'
}

function nonEmptyLines(text: string): string[] {
  return text.split('\n').map(line => line.trimEnd()).filter(line => line !== '')
}

function shortened(line: string): string {
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`
}
