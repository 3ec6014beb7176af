import type { InferOutput } from 'valibot'
import { advice, EXCESS, networkData, type TimeLimit } from '../command-processes/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { STATE } from './terminal-schema.js'
import type { Program } from './use-shell.js'

export type ProgramState = InferOutput<typeof STATE>

/** How much of the output is searched for signs of the sandbox, in UTF-16 units. */
const LAST_UNITS = 4096
/** Exit code of ssh itself. */
const SSH_FAILED = 255

/** A program's output since the last call, and its state. */
export function stateOf({ shell, execution }: Program): ProgramState {
  const { ending } = execution
  return {
    output: execution.takeOutput(), running: ending === undefined, ...(ending && { exit_code: ending.status }),
    cwd: shell.cwd, sandbox: shell.program.sandbox, ...networkData(shell.program.reached),
  }
}

/** Notes for a successful call: about the shell, and about hosts that were not allowed. */
export function newsOf(program: Program): string[] {
  const note = program.shell.program.reached?.().note
  return [...shellNews(program), ...(note === undefined ? [] : [note])]
}

/** Notes on what happened to the shell, one line each. */
function shellNews({ execution: { ending } }: Program): string[] {
  if (ending?.isShellGone) {
    return ['The shell has ended, with all that ran in it: the next command begins in a new one, in the root.']
  }
  if (!ending?.isRenewed) return []
  return ['The command ended its shell (exit, or set -e). A new one goes on in the same directory, '
    + 'with the exported variables and, in bash, the functions.']
}

/**
 * The state of a program that is running or has ended successfully.
 *
 * @throws HermesError `NONZERO_EXIT`, `TIMEOUT`, `CANCELLED`, `TERMINAL_FAILED` with the state as `data`
 */
export function checkedState(verb: string, program: Program, limit?: TimeLimit): ProgramState {
  const data = stateOf(program)
  const omitted = program.execution.omittedBytes
  const { ending } = program.execution
  if (ending === undefined || (ending.status === 0 && ending.stopped === undefined)) return data
  const note = omitted === 0 ? []
    : ['The output was cut in the middle: print less, or write it to a file and read parts of that.']
  const hint = (...lines: (string | undefined)[]): string =>
    [...lines, ...shellNews(program), ...note].filter(Boolean).join('\n')
  const { stopped, status } = ending
  if (ending.isShellGone && status === SSH_FAILED && data.sandbox === 'ssh' && stopped === undefined) {
    throw new HermesError('TERMINAL_FAILED', `${verb}: the connection to the other host ended before the command did`, {
      data, hint: hint(lastLine(data.output)),
    })
  }
  if (stopped === 'timeout') {
    const seconds = limit === undefined ? '' : ` after ${limit.timeoutMs / 1000}s`
    throw new HermesError('TIMEOUT', `${verb}: Process timeout${seconds} (TIMEOUT)`, {
      data, hint: hint(
        'It was interrupted as by Ctrl-C.', question(data.output), limit && advice(limit),
        'terminal_background runs what is to go on.',
      ),
    })
  }
  if (stopped === 'cancelled') throw new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, {
    data, hint: hint('Send the block again to run it.'),
  })
  if (stopped === 'memory' || stopped === 'processes') {
    throw new HermesError('NONZERO_EXIT', `${verb}: the command was stopped: too ${EXCESS[stopped]}`, {
      data, hint: hint(),
    })
  }
  if (stopped === 'killed') return data
  throw new HermesError('NONZERO_EXIT', `${verb}: the command exited with code ${status}`, {
    data, hint: hint(lastLine(data.output), program.shell.program.explain(data.output.slice(-LAST_UNITS))?.hint),
  })
}

/** The last line of output, if it looks like a prompt that waits for an answer. */
function question(output: string): string | undefined {
  const line = output.trimEnd().split('\n').at(-1)?.replace(/(?:\^C)+$/, '').trim() ?? ''
  if (!/[^\s]\s*[:?>\])]$/.test(line) || line.length > 200) return undefined
  const who = /pass(?:word|phrase|code)|\bPIN\b/i.test(line)
    ? ' A secret is for the user to give: ask them to run it.' : ''
  return `It seems to wait for an answer to "${line}": with wait_seconds the call returns while it waits, `
    + `and terminal_input answers.${who}`
}

function lastLine(output: string): string {
  const line = output.split('\n').map(candidate => candidate.trimEnd()).filter(text => text !== '').at(-1)
  if (line === undefined) return 'It printed nothing.'
  return `It ends with: ${line.length <= 300 ? line : `${line.slice(0, 300)}…`}`
}
