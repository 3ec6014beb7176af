import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FirstProcess, SharedNamespaces } from '../../../0-contracts/src/index.js'
import { POLL_MS, sendSignal, STATUS_FD, type Stdio } from '../../../2-processes/src/index.js'
import { LinuxProcesses, type RunProcesses } from './linux-processes.js'
import { GRACE_MS, KILL_MS } from './process-tree.js'

/** How long the processes of one command may evade their end by forking, in milliseconds. */
const MULTIPLY_MS = 1000
/** Longest report that is examined, in UTF-16 units. */
const MAX_REPORT = 4096

/** The first process in the sandbox, from bubblewrap's report; `undefined` if it is not reported yet. */
export function reported(report: string): FirstProcess | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(report)?.[1]
  return pid === undefined ? undefined : { pid: Number(pid), mounts: /"mnt-namespace":\s*(\d+)/.exec(report)?.[1] }
}

/** Waits for the report of the first process; `undefined` if it never started. */
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
 * Ends all processes of a process namespace: SIGTERM to those in it; after the grace period, or when the program itself
 * is gone, SIGKILL to its first process, with which the kernel kills the rest. Returns when none is left. Of a
 * namespace that others share, ends those that its command left, one by one; if they fork faster than that, all
 * processes of the task.
 *
 * @param outer the process around it
 * @param init the first process, where no others share the namespace
 * @param hasExited whether the program ended by itself
 */
export async function endInside(
  outer: number, init: number | undefined, inside: LinuxProcesses | SharedNamespaces, hasExited: () => boolean,
): Promise<void> {
  if (inside instanceof LinuxProcesses) await endAll(outer, inside, hasExited, KILL_MS, init)
  else if (!await endAll(outer, inside, hasExited, MULTIPLY_MS)) await inside.endAll()
}

/**
 * @param mostMs so long they get SIGKILL
 * @param init gets no SIGTERM
 * @returns whether none is left
 */
async function endAll(
  outer: number, processes: RunProcesses, hasExited: () => boolean, mostMs: number, init?: number,
): Promise<boolean> {
  if (!hasExited()) {
    for (const { pid } of processes.living()) if (pid !== init) sendSignal(pid, 'SIGTERM')
    const end = performance.now() + GRACE_MS
    while (!hasExited() && performance.now() < end) await sleep(POLL_MS)
  }
  const end = performance.now() + mostMs
  for (let left = processes.living(); left.length > 0; left = processes.living()) {
    if (performance.now() > end) return false
    for (const { pid } of left) sendSignal(pid, 'SIGKILL')
    if (!hasExited()) sendSignal(outer, 'SIGKILL')
    await sleep(1)
  }
  return true
}
