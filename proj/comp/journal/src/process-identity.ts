import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { isNodeError } from '../../contracts/src/index.js'

/** Names one process for ever, where the system tells when it started; process ids alone are used again. */
export const PROCESS_IDENTITY = v.object({
  pid: v.number(),
  host: v.string(),
  /** Clock ticks since boot, and which boot; Linux only. */
  started: v.optional(v.string()),
})
export type ProcessIdentity = v.InferOutput<typeof PROCESS_IDENTITY>

export function ownIdentity(): ProcessIdentity {
  const started = startOf(process.pid)
  return { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) }
}

/** False only when it is certain: a process of another host may live. */
export function mayLive({ pid, host, started }: ProcessIdentity): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ESRCH') return false
  }
  return started === undefined || startOf(pid) === started
}

/** Field 22 of `/proc/<pid>/stat`; the second, a name in brackets, may hold anything. None for what has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // In a container without an init nobody may ever take note of its end.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${bootId()}`
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}

/** Ticks begin again with each boot, and containers that start with it get the same ids at about the same time. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
  return boot
}

let boot: string | undefined
