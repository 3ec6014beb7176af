import { StringDecoder } from 'node:string_decoder'
import type { AgentEvent } from '../../../6-agent/src/index.js'
import { run, trustedEnvironment } from '../../../2-processes/src/index.js'

/** How much is kept of the end of its output, in UTF-16 units. */
const KEPT = 256 * 1024
/** Time between checks of its output, in milliseconds. */
const LOOK_MS = 200
const MOST_LINES = 10
/** Most characters of its output passed to the model. */
const MOST_TOLD = 8000

export interface OwnOutcome {
  /** The end of its output. */
  output: string
  /** `exit 0`, `stopped`. */
  ending: string
}

/**
 * Runs a command of the user's own, as the user, in the root. No sandbox confines it, so it gets no program from places
 * where models write. Yields its last lines as events of a call. @throws Node's error where there is no shell
 */
export async function* ownCommand(
  command: string, root: string, signal: AbortSignal,
): AsyncGenerator<AgentEvent, OwnOutcome> {
  yield { type: 'call_start', id: 'own', tool: '!', parameters: { command } }
  const decoder = new StringDecoder('utf8')
  let output = ''
  let isOver = false
  const isWindows = process.platform === 'win32'
  const running = run({
    program: isWindows ? 'cmd.exe' : 'sh',
    // Merges both streams, in order.
    args: isWindows ? ['/d', '/s', '/c', `"${command}"`] : ['-c', `exec 2>&1\n${command}`],
    isVerbatim: isWindows, cwd: root, env: trustedEnvironment(process.env), leadsGroup: true, endsWithHermes: true,
    signal,
    timeoutMs: Infinity, onOutput(piece) {
      output = (output + decoder.write(piece)).slice(-KEPT)
      return true
    },
  }).finally(() => { isOver = true })
  let told = ''
  while (!isOver) {
    await Promise.race([running.catch(() => undefined), new Promise((resolve) => { setTimeout(resolve, LOOK_MS) })])
    if (isOver || told === output) continue
    told = output
    yield { type: 'call_output', id: 'own', lines: ownLines(output).slice(-MOST_LINES) }
  }
  const { exitCode, stopped, stderr } = await running
  const ending = stopped !== undefined ? `stopped (${stopped})` : exitCode === null ? 'killed' : `exit ${exitCode}`
  return { output: output + stderr.toString('utf8'), ending }
}

/** The output line by line; of a line overwritten with carriage returns, the last state. */
export function ownLines(output: string): string[] {
  const text = output.trimEnd()
  return text === '' ? [] : text.split('\n').map((line) => line.replace(/\r+$/, '').replace(/^[^]*\r/, ''))
}

/** The note for the model. `host`: where the model works, if not on this machine. */
export function ownNote(
  command: string, { output, ending }: OwnOutcome,
  { host, mask }: { host: string | undefined; mask(text: string): string },
): string {
  const told = mask(output).trimEnd()
  const cut = told.length > MOST_TOLD ? `… ${told.slice(-MOST_TOLD)}` : told
  const where = host === undefined ? 'in the root' : `on their own machine, not on ${host} where you work`
  return `The user ran a command of their own ${where}: ${mask(command)} (${ending}). It printed:\n${cut}\n`
}
