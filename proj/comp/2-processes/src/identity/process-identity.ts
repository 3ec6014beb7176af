import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isRunning } from './is-running.js'
import { readProcess } from './process-table.js'

/** Identifies a process permanently where its start is known, since process ids are reused. */
export const PROCESS_IDENTITY = v.object({
  pid: v.number(),
  host: v.string(),
  /** Clock ticks since boot, boot id, and pid namespace: `8752567@833304e7:4026531836`; Linux only. */
  started: v.optional(v.string()),
})

export interface ProcessIdentity {
  pid: number
  host: string
  started?: string | undefined
}

export function ownIdentity(): v.InferOutput<typeof PROCESS_IDENTITY> {
  const started = startOf(process.pid)
  return { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) }
}

/** False only if the process is certainly gone; one on another host or in another container may live. */
export function mayLive(identity: ProcessIdentity): boolean {
  if (!isSeenFromHere(identity)) return true
  const { pid, started } = identity
  if (!isRunning(pid)) return false
  const now = startOf(pid)
  return started === undefined || now === undefined || isSameStart(now, started)
}

/** Whether its process id is valid here, so that its state can be determined. */
export function isSeenFromHere({ host, started }: Omit<ProcessIdentity, 'pid'>): boolean {
  const [there, here] = [placeOf(started), placeOf(startOf(process.pid))]
  // After a reboot of this host no process lives; containers may share boot id and host name.
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

/** Compares starts; older records have only ticks, or ticks and boot id. */
function isSameStart(now: string, noted: string): boolean {
  const known = noted.includes(':') ? now : now.split(noted.includes('@') ? ':' : '@')[0]
  return known === noted
}

/** `undefined` where the system does not tell. */
function startOf(pid: number): string | undefined {
  const started = readProcess(pid)?.started
  return started === undefined || bootId() === '' ? undefined : `${started}@${bootId()}${processSpace()}`
}

/** Distinguishes boots, since ticks restart and containers started at boot get the same ids at about the same time. */
function bootId(): string {
  boot ??= orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8), '')
  return boot
}

/** The pid namespace: processes in it see each other's ids. */
function processSpace(): string {
  const number = /\d+/.exec(orNothing(() => readlinkSync('/proc/self/ns/pid'), ''))
  return number ? `:${number[0]}` : ''
}

let boot: string | undefined
