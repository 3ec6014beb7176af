import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isNodeError } from '../../contracts/src/index.js'
import type { Operation } from '../../journal/src/index.js'
import type { EndedProcess } from './run-processes.js'

/** Longest time between the start of a process, in whole seconds as `ps` tells it, and its line in the journal. */
const START_MS = 2000
/** Between SIGTERM and SIGKILL, and how long the latter may take, in milliseconds. */
const GRACE_MS = 1000

/**
 * Ends the process groups of commands that a run noted in its journal:
 * what there is to go by where there is no `/proc`.
 * A group goes only while the process that leads it lives and began when it was noted, since numbers are used again;
 * what left its group is not found. On Windows nothing is.
 *
 * @returns the leaders of the groups that were ended
 */
export async function endGroups(operations: readonly Operation[]): Promise<EndedProcess[]> {
  const ended: EndedProcess[] = []
  for (const operation of operations) {
    const command = operation.op === 'process' ? await leaderOf(operation) : undefined
    if (operation.op !== 'process' || command === undefined) continue
    send(operation.pid, 'SIGTERM')
    send(operation.pid, 'SIGCONT')
    if (await isThere(operation.pid)) send(operation.pid, 'SIGKILL')
    await isThere(operation.pid)
    ended.push({ pid: operation.pid, command })
  }
  return ended
}

/** @returns the name of its program; `undefined` where it is not the process that was noted */
async function leaderOf({ pid, at }: Extract<Operation, { op: 'process' }>): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    const env = { ...process.env, LC_ALL: 'C' }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-o', 'comm=', '-p', String(pid)], { env })
    const [, started = '', command = ''] = /^(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*)$/m.exec(stdout.trim()) ?? []
    return Math.abs(Date.parse(started) - at) <= START_MS ? basename(command) : undefined
  } catch (error) {
    // There is none, or no ps.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Waits for the group to end. @returns whether it has not */
async function isThere(group: number): Promise<boolean> {
  const until = performance.now() + GRACE_MS
  while (send(group, 0)) {
    if (performance.now() >= until) return true
    await sleep(20)
  }
  return false
}

function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    // macOS says EPERM of what only waits to be reaped.
    if (isNodeError(error) && (error.code === 'ESRCH' || error.code === 'EPERM')) return false
    throw error
  }
}
