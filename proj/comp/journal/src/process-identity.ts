import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { isNodeError, orNothing } from '../../contracts/src/index.js'

/** Names one process for ever, where the system tells when it started; process ids alone are used again. */
export const PROCESS_IDENTITY = v.object({
  pid: v.number(),
  host: v.string(),
  /**
   * Clock ticks since boot, which boot, and the namespace that its id is of: `8752567@833304e7:4026531836`; Linux only.
   */
  started: v.optional(v.string()),
})
export type ProcessIdentity = v.InferOutput<typeof PROCESS_IDENTITY>

export function ownIdentity(): ProcessIdentity {
  const started = startOf(process.pid)
  return { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) }
}

/** False only when it is certain: a process of another host, or of another container, may live. */
export function mayLive(identity: ProcessIdentity): boolean {
  if (!isSeenFromHere(identity)) return true
  const { pid, started } = identity
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ESRCH') return false
  }
  return started === undefined || isSameStart(startOf(pid), started)
}

/** Whether its process id means the same here, so that it can be told whether it lives. */
export function isSeenFromHere({ host, started }: ProcessIdentity): boolean {
  const [there, here] = [placeOf(started), placeOf(startOf(process.pid))]
  // Of an earlier boot of this host nothing lives; containers may share a boot and even the host name.
  if (there?.space === undefined || there.boot !== here?.boot) return host === hostname()
  return there.space === here.space
}

export function isThisProcess(identity: ProcessIdentity): boolean {
  return identity.pid === process.pid && isSeenFromHere(identity)
}

function placeOf(started: string | undefined): { boot: string; space?: string } | undefined {
  const [boot, space] = started?.split('@')[1]?.split(':') ?? []
  return boot === undefined ? undefined : { boot, ...(space !== undefined && { space }) }
}

/** Hermes once noted it without the namespace. */
function isSameStart(now: string | undefined, noted: string): boolean {
  return (noted.includes(':') ? now : now?.split(':')[0]) === noted
}

/** Field 22 of `/proc/<pid>/stat`; the second, a name in brackets, may hold anything. None for what has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // In a container without an init nobody may ever take note of its end.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${bootId()}${processSpace()}`
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

/** Of processes that see each other's ids: a container has its own. */
function processSpace(): string {
  const link = orNothing(() => readlinkSync('/proc/self/ns/pid'), '')
  const number = /\d+/.exec(link)
  return number ? `:${number[0]}` : ''
}

let boot: string | undefined
