import { readlinkSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { memoryOf } from './memory-of.js'
import { listPids, readProcess, type LinuxProcess } from './process-table.js'

/** Kinds of namespaces, as `/proc/PID/ns` names them: mounts and processes. */
export type NamespaceKind = 'mnt' | 'pid'

/** By kind: the number of the namespace that processes must be in. */
export type InNamespaces = Readonly<Partial<Record<NamespaceKind, string>>>

/** Resource usage of processes together. */
export interface Usage {
  /** Processes and threads. */
  processes: number
  memoryBytes: number
}

/** Number of a process's namespace; `undefined` where the process is gone, or may not be examined. */
export function namespaceOf(pid: number, kind: NamespaceKind): string | undefined {
  return orNothing(() => /\d+/.exec(readlinkSync(`/proc/${pid}/ns/${kind}`))?.[0], undefined)
}

/**
 * The live processes in certain namespaces. A process without capabilities cannot leave them, whatever it does to its
 * session, parents and environment.
 */
export function processesIn(namespaces: InNamespaces): LinuxProcess[] {
  const wanted = Object.entries(namespaces) as [NamespaceKind, string][]
  return listPids().filter(pid => wanted.every(([kind, number]) => namespaceOf(pid, kind) === number))
    .flatMap(pid => readProcess(pid) ?? []).filter(({ lives }) => lives)
}

/** @param inMemory as in `memoryOf` */
export function usageOf(processes: readonly LinuxProcess[], inMemory: readonly string[]): Usage {
  return {
    processes: processes.reduce((sum, { threads }) => sum + threads, 0),
    memoryBytes: memoryOf(processes.map(({ pid }) => pid), inMemory),
  }
}
