import { basename } from 'node:path'
import { isNodeError } from '../../../../0-contracts/src/index.js'
import type { Operation } from '../../journal/index.js'
import { endProcesses, ownEnvironment, run, sendSignal } from '../../../../2-processes/src/index.js'
import type { EndedProcess } from './run-processes.js'

/** Longest time between the start of a process, in whole seconds as `ps` tells it, and its line in the journal. */
const START_MS = 2000
/** Between SIGTERM and SIGKILL, and how long the latter may take, in milliseconds. */
const TIMES = { grace: 1000, kill: 1000 }

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
    await endProcesses(signal => sendSignal(-operation.pid, signal), TIMES)
    ended.push({ pid: operation.pid, command })
  }
  return ended
}

/** @returns the name of its program; `undefined` where it is not the process that was noted */
async function leaderOf({ pid, at }: Extract<Operation, { op: 'process' }>): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    const { exitCode, stdout } = await run({
      program: 'ps', args: ['-o', 'lstart=', '-o', 'comm=', '-p', String(pid)], env: ownEnvironment({ LC_ALL: 'C' }),
    })
    // There is none.
    if (exitCode !== 0) return undefined
    const line = stdout.toString('utf8').trim()
    const [, started = '', command = ''] = /^(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*)$/m.exec(line) ?? []
    return Math.abs(Date.parse(started) - at) <= START_MS ? basename(command) : undefined
  } catch (error) {
    // There is no ps.
    if (isNodeError(error)) return undefined
    throw error
  }
}
