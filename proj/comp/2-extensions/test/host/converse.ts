import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HermesError } from '../../../0-contracts/src/index.js'
import { Message, noUi, withExtension, type ExtensionUi } from '../../src/host/index.js'
import { programmedUi, type ProgrammedAnswers } from '../../src/host/programmed-ui.js'

const program = fileURLToPath(new URL('scripted-extension.mjs', import.meta.url))

export interface Conversation {
  /** Lines of JSON for `scripted-extension.mjs`. */
  steps: string
  message?: string | undefined
  answers?: ProgrammedAnswers | undefined
  command?: string | undefined
  limitMs?: number | undefined
  quietMs?: number | undefined
  initializeMs?: number | undefined
  shutdownMs?: number | undefined
  mostMemoryBytes?: number | undefined
  ui?: ExtensionUi
  signal?: AbortSignal
}

export interface Conversed {
  /** Messages of the host, one JSON text each. */
  received: string[]
  /** What the user is told: the failure with its hint, what the command says, and warnings. */
  shown: string[]
  text: string
  /** Processes of it that live. */
  left: number[]
}

/** Lets the host talk to an extension that follows a script, in `directory`. */
export async function converse(
  { steps, message, answers = {}, command = 'go', limitMs, quietMs = 1000, initializeMs = 10_000, shutdownMs = 5000, mostMemoryBytes, ui, signal }: Conversation, directory: string,
): Promise<Conversed> {
  const [script, log] = [join(directory, 'steps.jsonl'), join(directory, 'received.jsonl')]
  writeFileSync(script, steps)
  const prepared = new Message(message === undefined ? undefined : { text: message })
  const shown: string[] = []
  const options = {
    name: 'x', command: [process.execPath, program, script, log], cwd: directory, root: directory, env: process.env,
    message: prepared, ui: ui ?? programmedUi(answers, noUi('this is a test')), initializeMs, shutdownMs, mostMemoryBytes,
  }
  try {
    await withExtension(options, signal ?? new AbortController().signal, line => shown.push(`warning: ${line}`), async host => {
      const outcome = await host.execute(command, { ...(limitMs !== undefined && { limitMs }), quietMs, ...(signal && { signal }) })
      shown.push(`${outcome.success ? 'done' : 'failed'}${outcome.message === undefined ? '' : `: ${outcome.message}`}`)
    })
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    shown.push(`${error.code}: ${error.message}`, ...(error.hint?.split('\n').map(line => `  ${line}`) ?? []))
  }
  const settle = (text: string): string => text.replaceAll(directory, '<dir>')
  const pids = linesOf(`${log}.pids`).map(Number)
  return {
    // What it still got of these before it was gone, is chance.
    received: linesOf(log).filter(line => !/"id":null|\$\/cancelRequest/.test(line)).map(settle), shown: shown.map(settle), text: prepared.text, left: await gone(pids),
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(line => line !== '') : []
}

/** Those that are still there; what was killed needs a moment to end. */
async function gone(pids: readonly number[]): Promise<number[]> {
  for (let tries = 0; tries < 500 && pids.some(isAlive); tries++) await sleep(10)
  return pids.filter(isAlive)
}

/** A zombie that nobody reaps yet does not live. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !'ZX'.includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '')
  } catch {
    return false
  }
}
