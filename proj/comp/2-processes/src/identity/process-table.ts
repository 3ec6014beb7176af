import { readdirSync, readFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'

/** A row of the kernel's table of processes. */
export interface LinuxProcess {
  pid: number
  /** Short name of the program. */
  command: string
  /** False for a process that has ended and only waits to be reaped: without an init nobody ever may. */
  lives: boolean
  parent: number
  group: number
  session: number
  /** The process group that has its terminal; -1 without one. */
  terminalGroup: number
  /** Clock ticks since boot; with the pid it names one process for ever. */
  started: number
  threads: number
}

/** Of all processes of the machine, as far as the system tells (Linux). */
export function listPids(): number[] {
  return orNothing(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name)).map(Number)
}

/**
 * What `/proc/<pid>/stat` says; `undefined` for what is gone, for another user's where those are hidden (`hidepid`),
 * and where there is no `/proc`.
 */
export function readProcess(pid: number): LinuxProcess | undefined {
  const stat = readIfThere(pid, 'stat')
  // The name, in parentheses, may itself hold spaces and parentheses.
  const nameEnd = stat.lastIndexOf(')')
  if (nameEnd === -1) return undefined
  const [state = 'X', parent, group, session, , terminalGroup, ...fields] = stat.slice(nameEnd + 2).split(' ')
  return {
    pid, command: stat.slice(stat.indexOf('(') + 1, nameEnd), lives: !'ZXx'.includes(state), parent: Number(parent),
    group: Number(group), session: Number(session), terminalGroup: Number(terminalGroup), threads: Number(fields[11]),
    started: Number(fields[13]),
  }
}

/** What a process was started with, `NAME=value` and NUL of each; empty where that is not ours to look into. */
export function environmentOf(pid: number): string {
  return readIfThere(pid, 'environ')
}

function readIfThere(pid: number, name: 'stat' | 'environ'): string {
  return orNothing(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'), '')
}
