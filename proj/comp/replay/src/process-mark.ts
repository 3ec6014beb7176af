import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isNodeError, orNothing } from '../../contracts/src/index.js'
import { shortHash } from './fingerprint.js'

/**
 * A process as a part of a file's name: where its number means something, the number, and when it began, since numbers
 * are given again. Where the system does not tell when, `0`.
 */
export function processMark(pid: number = process.pid): string {
  return `${place()}-${pid}-${startOf(pid)}`
}

/** Whether the process of a mark is gone for certain; one of another host or container may well be there. */
export function isGone(mark: string): boolean {
  const [where = '', pid = '', start = ''] = mark.split('-')
  if (where !== place() || !/^\d+$/.test(pid)) return false
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== start
}

/** The host since it was started, and on Linux the space of process numbers in it. */
function place(): string {
  const boot = orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), '')
  return shortHash(`${hostname()} ${boot} ${orNothing(() => readlinkSync('/proc/self/ns/pid'), '')}`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one, too.
    return !isNodeError(error) || error.code !== 'ESRCH'
  }
}

/** Clock ticks since the system was started. */
function startOf(pid: number): string {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // The name of the program, in parentheses, may hold anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}
