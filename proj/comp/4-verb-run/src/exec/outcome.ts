import { constants } from 'node:os'
import type { InferOutput } from 'valibot'
import { advice, EXCESS, networkData, type Ran, type TimeLimit } from '../command-processes/index.js'
import { HermesError, type VerbContext, type Walls } from '../../../0-contracts/src/index.js'
import type { OUTPUT } from './output-schema.js'
import type { ProcessOutcome } from './run-process.js'
import type { ProgramOutcome } from './run-program.js'

/** Number of lines of stderr that a hint shows. */
const LAST_LINES = 3

/** Node's pipes to children are sockets, which cannot be opened by name. */
const SOCKET = /\/dev\/(stdout|stderr|fd\/\d)/
const SOCKET_HINT = '/dev/stdout and /dev/stderr cannot be opened here: write >&2 for > /dev/stderr, and >&1 for '
  + '> /dev/stdout.'

const EXCESS_ADVICE = {
  memory: 'The limit of memory holds for all its processes together, with the files in /tmp and the home: use less, '
    + 'or work in parts.',
  processes: 'Start fewer processes and threads at the same time; only the user can raise the limit.',
} as const
/** A shell's message about a program that it does not find, and its exit code then. */
const NOT_FOUND = /^[^\n]*?: (?:([\w.+-]+): (?:command )?not found|command not found: ([\w.+-]+))$/m
const NOT_FOUND_CODE = 127
/** How much of each stream is searched for signs of the sandbox, in UTF-16 units. */
const LAST_UNITS = 4096

const KILLED = {
  linux: 'It was killed with all its processes.',
  win32: 'It was killed with the processes below it; one whose parent had ended may still run.',
  others: 'It was killed with its process group; a process that left the group may still run.',
}

/** The verb, and its word for the program in messages. */
export interface Caller {
  verb: string
  program: string
  limit: TimeLimit
}

export type ExecData = InferOutput<typeof OUTPUT>

/** What is known of a finished run: its data, and its last output. */
export interface Findings<Data> {
  data(exitCode: number): Data
  /** At least the end of each stream. */
  stdout: string
  stderr: string
  /** Further text for the hint of a failure. */
  note?: string | undefined
}

/**
 * Converts the outcome of a finished program into the data of `exec` and similar verbs.
 * @throws HermesError `TIMEOUT`, `CANCELLED` or `NONZERO_EXIT`, with the output as `data`
 */
export function execData(
  caller: Caller, { outcome, access, note: about }: Ran<ProgramOutcome>, { advise }: Pick<VerbContext, 'advise'>,
): ExecData {
  const { stdout, stderr, sandbox, omittedBytes, reached } = outcome
  const cut = omittedBytes === 0
    ? undefined
    : 'The output was cut in the middle: print less, or write it to a file and read parts of that.'
  const data = (exitCode: number): ExecData => ({
    stdout, stderr, sandbox, ...(access !== undefined && { access }), ...networkData(reached), exit_code: exitCode,
  })
  const note = [about, cut].filter(Boolean).join('\n') || undefined
  const exitCode = checkedExit(caller, outcome, { data, stdout, stderr, note })
  const told = [about, reached?.().note].filter(Boolean).join('\n')
  if (told !== '') advise?.(told)
  return data(exitCode)
}

/** What the sandbox denied to a program that failed by itself. */
export function wallsOf(
  { stopped, exitCode, explain }: ProcessOutcome, { stdout, stderr }: Pick<ProgramOutcome, 'stdout' | 'stderr'>,
): Walls | undefined {
  if (stopped !== undefined || exitCode === 0) return undefined
  return explain(`${stdout.slice(-LAST_UNITS)}\n${stderr.slice(-LAST_UNITS)}`)
}

/**
 * Returns the exit code if it is 0. @throws HermesError `TIMEOUT`, `CANCELLED` or `NONZERO_EXIT` with the findings'
 * data
 */
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
      lastWords(findings.stdout, findings.stderr), missingProgram(code, findings.stderr),
      wallsOf(outcome, findings)?.hint,
    ].filter(Boolean).join('\n')),
  })
}

/** Exit code after a timeout, as with `timeout` of coreutils. */
const TIMED_OUT = 124

/** Exit code as a shell would report it; a stopped program without a code counts as killed. */
export function exitCodeOf({ stopped, exitSignal, exitCode }: ProcessOutcome): number {
  if (stopped === 'timeout') return TIMED_OUT
  if (exitSignal !== null) return 128 + constants.signals[exitSignal]
  return exitCode ?? 128 + constants.signals.SIGKILL
}

/** Names the signal of a code: in a sandbox, as in a shell, a signal shows only as an exit code. */
function signalWords(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  return signal === undefined ? '' : ` (as after ${signal})`
}

export function cancelled(verb: string, data?: unknown): HermesError {
  return new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, {
    data, hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

/** What happened to the processes of a stopped program, in words. */
export function killed(): string {
  const { platform } = process
  return platform === 'linux' || platform === 'win32' ? KILLED[platform] : KILLED.others
}

/** The most likely cause of a failure: the last error line of stderr, else its last lines. */
function lastWords(stdout: string, stderr: string): string {
  const lines = nonEmptyLines(stderr)
  const cause = lines.findLastIndex(line => /^[\w.:]*(Error|Exception)\b/.test(line))
  if (lines.some(line => line.includes('No such device') && SOCKET.test(line))) return SOCKET_HINT
  if (cause !== -1) return `stderr says: ${shortened(lines[cause] ?? '')}`
  if (lines.length > 0) return `stderr says: ${lines.slice(-LAST_LINES).map(row => shortened(row.trim())).join(' | ')}`
  const printed = nonEmptyLines(stdout).at(-1)
  if (printed !== undefined) return `stderr is empty; stdout ends with: ${shortened(printed)}`
  return 'It printed nothing. Print what it does (bash: set -x) and run it again.'
}

function missingProgram(code: number, stderr: string): string | undefined {
  const [, named, zsh] = (code === NOT_FOUND_CODE && NOT_FOUND.exec(stderr.slice(-LAST_UNITS))) || []
  const name = named ?? zsh
  return name && `${name} is not installed here, or not in PATH: do without it, or ask the user to install it.`
}

function nonEmptyLines(text: string): string[] {
  return text.split('\n').map(line => line.trimEnd()).filter(line => line !== '')
}

function shortened(line: string): string {
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`
}
