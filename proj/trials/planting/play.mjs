/** Plays a call of hermes as a user makes it, step after step: what each is told, and when it is ended. */
import { spawn } from 'node:child_process'
import {
  closeSync, existsSync, fchmodSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../child-processes.mjs'
import { TRACED } from './traced-paths.mjs'

/** A step that takes longer is ended; its call counts as played, and is named. */
const MOST_MS = 180_000

/**
 * @typedef {object} Step
 * @property {string[]} args of hermes
 * @property {boolean} [byUser] started from a shell of the user, as by `npx hermes`: `PATH` is the system's
 * @property {string} [input]
 * @property {RegExp} [until] what it prints once it is to end; else its input ends at once
 * @property {string} [untilFile] a file that is there once it is to end
 * @property {(printed: string) => Promise<void>} [visit] before it is ended
 * @property {NodeJS.Signals} [signal] how it is ended; else by the end of its input
 */

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {Step[]} steps
 * @param {boolean} isTraced
 * @returns {Promise<{ outcomes: string[], said: string[], traces: string[] }>} how each step ended, what it printed,
 *   and the traces' texts
 */
export async function play(stage, steps, isTraced = false) {
  const traces = join(stage.directory, 'traces')
  rmSync(traces, { recursive: true, force: true })
  mkdirSync(traces)
  stage.handOver(traces)
  const outcomes = []
  const said = []
  for (const [index, step] of steps.entries()) {
    const { outcome, printed } = await playStep(stage, step, isTraced ? join(traces, String(index)) : undefined)
    outcomes.push(outcome)
    said.push(printed)
  }
  return { outcomes, said, traces: readdirSync(traces).map((name) => readFileSync(join(traces, name), 'latin1')) }
}

async function playStep(stage, { args, byUser = false, input = '', until, untilFile, visit, signal }, trace) {
  const direct = [process.execPath, stage.laidOut.command]
  const hermes = byUser ? stage.laidOut.start ?? direct : direct
  const env = { ...stage.env, ...byUser && { PATH: stage.systemPath } }
  const tracer = [
    'strace', '-f', '-qq', '-y', '-s', '4096', '--seccomp-bpf', '-e', `trace=${TRACED}`, '-e', 'signal=none',
  ]
  const [program, ...rest] = [...trace ? [...tracer, '-o', trace, '--'] : [], ...hermes, ...args]
  // To a file: a pipe may not be read yet when it ends, or be held by whoever it left running.
  const place = join(stage.directory, 'output')
  rmSync(place, { force: true })
  const output = openSync(place, 'a')
  fchmodSync(output, 0o666)
  const child = spawn(locate(program), rest, {
    ...stage.identity, cwd: stage.laidOut.cwd, env, stdio: ['pipe', output, output], detached: true,
  })
  const printed = () => readFileSync(place, 'utf8')
  let isOver = false
  const ended = new Promise((resolve) => child.once('exit', (code, by) => {
    isOver = true
    resolve(by ?? code)
  }))
  child.stdin.on('error', () => undefined)
  child.stdin.write(input)
  const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), MOST_MS)
  if (until || untilFile) {
    while (!isOver && !(untilFile ? existsSync(untilFile) : until.test(printed()))) await sleep(10)
    // It may end while it is visited: how it ended says more.
    if (!isOver) await visit?.(printed()).catch(() => undefined)
  }
  if (!isOver && signal) process.kill(trace ? childrenOf(child.pid)[0] ?? child.pid : child.pid, signal)
  child.stdin.end()
  const outcome = await ended
  clearTimeout(late)
  closeSync(output)
  const isLate = outcome === 'SIGKILL' && signal !== 'SIGKILL'
  return { outcome: `${outcome}${isLate ? ' (took too long)' : ''}`, printed: printed() }
}

/** Ours, not one that is planted. */
function locate(program) {
  if (program.includes('/')) return program
  const found = process.env.PATH.split(':').map((directory) => join(directory, program)).find(existsSync)
  if (!found) throw new Error(`${program} is not installed`)
  return found
}
