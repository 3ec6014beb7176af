import { setTimeout as sleep } from 'node:timers/promises'
import { isNodeError } from '../../contracts/src/index.js'
import type { LinuxProcesses } from './linux-processes.js'

/** Between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE_MS = 500
/** How long the kernel may take to end what got SIGKILL, in milliseconds: a namespace, and a group. */
export const KILL_MS = 5000
const GROUP_KILL_MS = 50
export const POLL_MS = 10

/** Whether a child leads a process group of its own, so that the group can be ended as one. Windows has no groups. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * Ends every process that is left of a child's process group, and on Linux those of the run that left the group:
 * SIGTERM, and SIGKILL to what still lives after the grace. Returns at once when nothing is left. On Windows the tree
 * below the child is ended by `taskkill`.
 * @param pid of the child, which was started as the leader of its group
 * @param escaped finds the processes of the run wherever they are; `undefined` except on Linux
 */
export async function endProcessTree(pid: number, escaped: LinuxProcesses | undefined): Promise<void> {
  if (!HAS_GROUPS) return endWindowsTree(pid)
  const signalAll = (signal: NodeJS.Signals | 0) => {
    // Looked for first: who dies orphans its children.
    const found = escaped?.living().filter(({ group }) => group !== pid) ?? []
    const signalled = found.map(one => sendSignal(one.pid, signal))
    return sendSignal(-pid, signal) || signalled.includes(true)
  }
  if (!signalAll('SIGTERM')) return
  if (await isGone(() => signalAll(0), GRACE_MS)) return
  // Again and again, for what was started in between.
  await isGone(() => signalAll('SIGKILL'), GROUP_KILL_MS)
}

/** Bounded, since members that nobody reaps (containers without an init) keep a group in being after their end. */
async function isGone(isThere: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    if (!isThere()) return true
    await sleep(POLL_MS)
  }
  return !isThere()
}

/** False when no such process (or none of the group) is left, or none that we may signal (macOS says so of zombies). */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (isNodeError(error) && (error.code === 'ESRCH' || error.code === 'EPERM')) return false
    throw error
  }
}

async function endWindowsTree(pid: number): Promise<void> {
  const { execa } = await import('execa')
  await execa('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdio: 'ignore' })
}
