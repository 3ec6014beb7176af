import { readdirSync, readFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'

/** A row of the kernel's process table. */
export interface LinuxProcess {
  pid: number
  /** Short name of the program. */
  command: string
  /** False for a zombie; without an init it may stay one for ever. */
  lives: boolean
  parent: number
  group: number
  session: number
  /** Foreground process group of its terminal; -1 without a terminal. */
  terminalGroup: number
  /** Clock ticks since boot; with the pid this identifies a process permanently. */
  started: number
  threads: number
}

/** Ids of all visible processes (Linux); else empty. */
export function listPids(): number[] {
  return orNothing(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Parses `/proc/<pid>/stat`; `undefined` where the process is gone or hidden (`hidepid`), or there is no `/proc`. */
export function readProcess(pid: number): LinuxProcess | undefined {
  const stat = readIfThere(pid, 'stat')
  // The name is in parentheses, and may itself contain spaces and parentheses.
  const nameEnd = stat.lastIndexOf(')')
  if (nameEnd === -1) return undefined
  const [state = 'X', parent, group, session, , terminalGroup, ...fields] = stat.slice(nameEnd + 2).split(' ')
  return {
    pid, command: stat.slice(stat.indexOf('(') + 1, nameEnd), lives: !'ZXx'.includes(state), parent: Number(parent),
    group: Number(group), session: Number(session), terminalGroup: Number(terminalGroup), threads: Number(fields[11]),
    started: Number(fields[13]),
  }
}

/** Ids of the threads of a process. */
export function threadsOf(pid: number): string[] {
  return orNothing(() => readdirSync(`/proc/${pid}/task`), [])
}

/** The initial environment of a process: `NAME=value` entries that end with NUL; empty where it may not be read. */
export function environmentOf(pid: number): string {
  return readIfThere(pid, 'environ')
}

/** A file of a process in `/proc`; empty where it may not be read. */
export function readIfThere(pid: number, name: string): string {
  return orNothing(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'), '')
}
