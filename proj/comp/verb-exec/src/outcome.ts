import { constants } from 'node:os'
import { HermesError } from '../../contracts/src/index.js'
import type { ProgramOutcome } from './run-program.js'

/** Node gives children sockets for pipes, and a socket cannot be opened by name. */
const SOCKET = /\/dev\/(stdout|stderr|fd\/\d)/
const SOCKET_HINT = '/dev/stdout and /dev/stderr cannot be opened here: write >&2 for > /dev/stderr, and >&1 for '
  + '> /dev/stdout.'

const KILLED = {
  linux: 'It was killed with all its processes.',
  win32: 'It was killed with the processes below it; one whose parent had ended may still run.',
  others: 'It was killed with its process group; a process that left the group may still run.',
}

export interface TimeLimit {
  /** The one that applied, in milliseconds. */
  timeoutMs: number
  /** The user's, in milliseconds. */
  longestMs: number
}

export interface ExecData {
  stdout: string
  stderr: string
  exit_code: number
}

/**
 * What a finished program's outcome means for `exec`.
 * @throws HermesError `TIMEOUT`, `CANCELLED` or `NONZERO_EXIT`, with what was printed as `data`
 */
export function execData(lang: string, outcome: ProgramOutcome, limit: TimeLimit): ExecData {
  const { stdout, stderr, stopped, exitSignal } = outcome
  if (stopped !== undefined) {
    const data = { stdout, stderr, exit_code: null }
    if (stopped === 'cancelled') throw cancelled(data)
    throw new HermesError('TIMEOUT', `exec: Process timeout after ${limit.timeoutMs / 1000}s (TIMEOUT)`, {
      data, hint: hintLines(`${killed()} ${advice(limit)}`, outcome),
    })
  }
  const exitCode = exitSignal === null ? outcome.exitCode ?? -1 : 128 + constants.signals[exitSignal]
  const data = { stdout, stderr, exit_code: exitCode }
  if (exitCode === 0) return data
  const message = exitSignal === null
    ? `exec: ${lang} exited with code ${exitCode}`
    : `exec: ${lang} was killed by ${exitSignal} (exit code ${exitCode})`
  throw new HermesError('NONZERO_EXIT', message, { data, hint: hintLines(lastWords(stdout, stderr), outcome) })
}

export function cancelled(data?: unknown): HermesError {
  return new HermesError('CANCELLED', 'exec: cancelled (CANCELLED)', {
    data, hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

function killed(): string {
  const { platform } = process
  return platform === 'linux' || platform === 'win32' ? KILLED[platform] : KILLED.others
}

function advice({ timeoutMs, longestMs }: TimeLimit): string {
  return timeoutMs < longestMs
    ? `Do less in one call, or set timeout (milliseconds) above ${timeoutMs}, at most ${longestMs}.`
    : `Do less in one call. The user's limit of ${longestMs / 1000} s applies, whatever timeout says.`
}

function hintLines(first: string, { omittedBytes }: ProgramOutcome): string {
  if (omittedBytes === 0) return first
  return `${first}\nThe output was cut in the middle: print less, or write it to a file and read parts of that.`
}

/** The line that most likely names the cause: the last error line of stderr, else its last line. */
function lastWords(stdout: string, stderr: string): string {
  const lines = nonEmptyLines(stderr)
  const line = lines.findLast(one => /^[\w.:]*(Error|Exception)\b/.test(one)) ?? lines.at(-1)
  if (lines.some(one => one.includes('No such device') && SOCKET.test(one))) return SOCKET_HINT
  if (line !== undefined) return `stderr says: ${shortened(line)}`
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
