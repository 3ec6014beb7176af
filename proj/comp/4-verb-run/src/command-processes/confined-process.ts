import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfinedProgram, FirstProcess, SharedNamespaces } from '../../../0-contracts/src/index.js'
import { POLL_MS, sendSignal } from '../../../2-processes/src/index.js'
import type { RunProcesses } from './linux-processes.js'
import { GRACE_MS, KILL_MS } from './process-tree.js'

/** First descriptor beyond the standard ones: the report of bubblewrap; what it reads follows. */
const STATUS_FD = 3
/** Longest report looked at, in UTF-16 units. */
const MAX_REPORT = 4096

/** The pipes of a child by their descriptors. */
export type Stdio = readonly (Readable | Writable | null | undefined)[]

/** The pipes a program gets beyond the standard three. */
export function furtherPipes({ inputs }: ConfinedProgram): 'pipe'[] {
  return inputs === undefined ? [] : ['pipe', ...inputs.map(() => 'pipe' as const)]
}

/** Gives a program what it reads from further descriptors. */
export function giveInputs({ inputs = [] }: ConfinedProgram, stdio: Stdio): void {
  for (const [index, text] of inputs.entries()) {
    const pipe = stdio[STATUS_FD + 1 + index] as Writable
    // Where the sandbox cannot be set up, nobody reads it.
    pipe.on('error', () => undefined)
    pipe.end(text)
  }
}

/** The first process in the sandbox, as bubblewrap reports it; `undefined` where it has not yet. */
export function reported(report: string): FirstProcess | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(report)?.[1]
  return pid === undefined ? undefined : { pid: Number(pid), mounts: /"mnt-namespace":\s*(\d+)/.exec(report)?.[1] }
}

/** The same as soon as it is there; `undefined` where it never came to be. */
export function firstProcess(stdio: Stdio): Promise<FirstProcess | undefined> {
  const report = stdio[STATUS_FD] as Readable
  let text = ''
  return new Promise(resolve => {
    report.on('data', (chunk: Buffer) => {
      if (text.length < MAX_REPORT) text += chunk.toString('latin1')
      const first = text.includes('}') ? reported(text) : undefined
      if (first !== undefined) resolve(first)
    })
    for (const end of ['end', 'close', 'error']) report.on(end, () => resolve(undefined))
  })
}

/**
 * Ends all of a process namespace: SIGTERM to what is in it, and after the grace, or when the program itself is gone,
 * SIGKILL to its first process, with which the kernel ends every other. Returns when none is left.
 *
 * @param outer the process around it
 * @param hasExited whether the program ended by itself
 */
export async function endNamespace(
  outer: number, init: number, inside: RunProcesses, hasExited: () => boolean,
): Promise<void> {
  if (!hasExited()) {
    for (const { pid } of inside.living()) if (pid !== init) sendSignal(pid, 'SIGTERM')
    const end = performance.now() + GRACE_MS
    while (!hasExited() && performance.now() < end) await sleep(POLL_MS)
  }
  const end = performance.now() + KILL_MS
  for (let left = inside.living(); left.length > 0 && performance.now() < end; left = inside.living()) {
    for (const { pid } of left) sendSignal(pid, 'SIGKILL')
    if (!hasExited()) sendSignal(outer, 'SIGKILL')
    await sleep(1)
  }
}

/** How long the processes of one command may escape their end by multiplying, in milliseconds. */
const MULTIPLY_MS = 1000

/**
 * Ends what is left of a command whose namespace of processes others share: SIGTERM, and after the grace, or when the
 * program itself is gone, SIGKILL until none is left; where they multiply faster, all of the task.
 *
 * @param outer the process around it
 * @param hasExited whether the program ended by itself
 */
export async function endShared(outer: number, shared: SharedNamespaces, hasExited: () => boolean): Promise<void> {
  if (!hasExited()) {
    for (const { pid } of shared.living()) sendSignal(pid, 'SIGTERM')
    const end = performance.now() + GRACE_MS
    while (!hasExited() && performance.now() < end) await sleep(POLL_MS)
  }
  const end = performance.now() + MULTIPLY_MS
  for (let left = shared.living(); left.length > 0; left = shared.living()) {
    if (performance.now() > end) return shared.endAll()
    for (const { pid } of left) sendSignal(pid, 'SIGKILL')
    if (!hasExited()) sendSignal(outer, 'SIGKILL')
    await sleep(1)
  }
}
