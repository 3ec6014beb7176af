import { readlinkSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { memoryOf } from './memory-of.js'
import { listPids, readProcess, type LinuxProcess } from './process-table.js'

/** Kinds of namespaces as `/proc/PID/ns` names them: of mounts, and of processes. */
export type NamespaceKind = 'mnt' | 'pid'

/** The namespaces of each kind that processes have to be in, by number. */
export type InNamespaces = Readonly<Partial<Record<NamespaceKind, string>>>

/** What processes use together. */
export interface Usage {
  /** Processes and threads. */
  processes: number
  memoryBytes: number
}

/** The number of a process's namespace; `undefined` where it is gone, or not ours to look into. */
export function namespaceOf(pid: number, kind: NamespaceKind): string | undefined {
  return orNothing(() => /\d+/.exec(readlinkSync(`/proc/${pid}/ns/${kind}`))?.[0], undefined)
}

/**
 * The processes that live in certain namespaces. A process without capabilities cannot leave them, whatever it does to
 * its session, its parents and its environment.
 */
export function processesIn(namespaces: InNamespaces): LinuxProcess[] {
  const wanted = Object.entries(namespaces) as [NamespaceKind, string][]
  return listPids().filter(pid => wanted.every(([kind, number]) => namespaceOf(pid, kind) === number))
    .flatMap(pid => readProcess(pid) ?? []).filter(({ lives }) => lives)
}

/** @param inMemory as of `memoryOf` */
export function usageOf(processes: readonly LinuxProcess[], inMemory: readonly string[]): Usage {
  return {
    processes: processes.reduce((sum, { threads }) => sum + threads, 0),
    memoryBytes: memoryOf(processes.map(({ pid }) => pid), inMemory),
  }
}
