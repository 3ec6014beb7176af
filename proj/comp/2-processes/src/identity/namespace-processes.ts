import { readlinkSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { listPids, readProcess, type LinuxProcess } from './process-table.js'

/** The smallest there is; where pages are larger, a limit of memory holds less tightly. */
const PAGE_BYTES = 4096

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

export function usageOf(processes: readonly LinuxProcess[]): Usage {
  const sum = (of: (status: LinuxProcess) => number) => processes.reduce((total, status) => total + of(status), 0)
  return { processes: sum(status => status.threads), memoryBytes: sum(status => status.pages) * PAGE_BYTES }
}
