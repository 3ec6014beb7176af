import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { orNothing } from '../../../0-contracts/src/index.js'
import { readProcess } from './process-table.js'
import { mayLive, type ProcessIdentity } from './process-identity.js'

/** In place of its start where the system does not tell it. */
const UNKNOWN = '0'

/**
 * A process as a part of a file's name: where its number means something, the number, and when it began, since numbers
 * are given again.
 */
export function processMark(): string {
  return `${place()}-${process.pid}-${readProcess(process.pid)?.started ?? UNKNOWN}`
}

/** Whether the process of a mark is gone for certain; one of another host or container may well be there. */
export function isMarkGone(mark: string): boolean {
  const identity = identityOfMark(mark)
  return identity !== undefined && !mayLive(identity)
}

/** `undefined` for what is no mark. Of another host or container only the number is known. */
export function identityOfMark(mark: string): ProcessIdentity | undefined {
  const [, where, pid, started = UNKNOWN] = /^([0-9a-f]{16})-(\d+)-(\d+)$/.exec(mark) ?? []
  if (where !== place()) return pid === undefined ? undefined : { pid: Number(pid), host: `that of ${where}` }
  return { pid: Number(pid), host: hostname(), ...(started !== UNKNOWN && { started }) }
}

/** The host since it was started, and on Linux the space of process numbers in it. */
function place(): string {
  const boot = orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), '')
  const text = `${hostname()} ${boot} ${orNothing(() => readlinkSync('/proc/self/ns/pid'), '')}`
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
