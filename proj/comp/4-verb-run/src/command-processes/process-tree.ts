import { endProcesses, endWindowsTree, HAS_GROUPS, sendSignal } from '../../../2-processes/src/index.js'
import type { LinuxProcesses } from './linux-processes.js'

/** Between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE_MS = 500
/** How long the kernel may take to end what got SIGKILL, in milliseconds: a namespace, and a group. */
export const KILL_MS = 5000
const GROUP_KILL_MS = 50

/**
 * Ends every process that is left of a child's process group, and on Linux those of the run that left the group. On
 * Windows the tree below the child is ended.
 *
 * @param pid of the child, which was started as the leader of its group
 * @param escaped finds the processes of the run wherever they are; `undefined` except on Linux
 */
export async function endProcessTree(pid: number, escaped: LinuxProcesses | undefined): Promise<void> {
  if (!HAS_GROUPS) return endWindowsTree(pid)
  await endProcesses(signal => {
    // Looked for first: who dies orphans its children.
    const linuxProcesses = escaped?.living().filter(({ group }) => group !== pid) ?? []
    const signalled = linuxProcesses.map(linuxProcess => sendSignal(linuxProcess.pid, signal))
    return sendSignal(-pid, signal) || signalled.includes(true)
  }, { grace: GRACE_MS, kill: GROUP_KILL_MS })
}
