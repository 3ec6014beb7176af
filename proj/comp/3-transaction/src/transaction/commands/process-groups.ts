import { basename } from 'node:path'
import { caughtLater, isNodeError } from '../../../../0-contracts/src/index.js'
import type { Operation } from '../../journal/index.js'
import { endProcesses, ownEnvironment, run, sendSignal } from '../../../../2-processes/src/index.js'
import type { EndedProcess } from './run-processes.js'

/**
 * Most milliseconds between the start of a process and its line in the journal: `ps` gives whole seconds, reckoned from
 * the start of the machine, and clocks are set meanwhile.
 */
const START_MS = 5000
/** Milliseconds between SIGTERM and SIGKILL, and for the latter to take effect. */
const TIMES = { grace: 1000, kill: 1000 }

/**
 * Kills the process groups that a run recorded for its commands, for systems without `/proc`. A group is killed only
 * while its leader lives and started when recorded, since process ids are reused; processes that left their group are
 * not found. Does nothing on Windows.
 *
 * @returns the leaders of the killed groups
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

/** @returns the name of its program; `undefined` where it is not the recorded process */
async function leaderOf({ pid, at }: Extract<Operation, { op: 'process' }>): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  return await caughtLater(isNodeError, async () => {
    const { exitCode, stdout } = await run({
      program: 'ps', args: ['-o', 'lstart=', '-o', 'comm=', '-p', String(pid)], env: ownEnvironment({ LC_ALL: 'C' }),
    })
    // There is no such process.
    if (exitCode !== 0) return undefined
    const line = stdout.toString('utf8').trim()
    const [, started = '', command = ''] = /^(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*)$/m.exec(line) ?? []
    return Math.abs(Date.parse(started) - at) <= START_MS ? basename(command) : undefined
    // `ps` is not installed.
  }, () => undefined)
}
