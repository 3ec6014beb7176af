import { setTimeout as sleep } from 'node:timers/promises'

/** Between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 500
/** How long the kernel may take to end what got SIGKILL, in milliseconds. */
const KILL_MS = 50
const POLL_MS = 10

/** Whether a child leads a process group of its own, so that the group can be ended as one. Windows has no groups. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * Ends every process that is left of a child's process group: SIGTERM, and SIGKILL to what still lives after the
 * grace. Returns at once when nothing is left. On Windows the tree below the child is ended by `taskkill`.
 * @param pid of the child, which was started as the leader of its group
 */
export async function endProcessTree(pid: number): Promise<void> {
  if (!HAS_GROUPS) return endWindowsTree(pid)
  if (!signalGroup(pid, 'SIGTERM')) return
  if (await isGone(pid, GRACE_MS)) return
  signalGroup(pid, 'SIGKILL')
  await isGone(pid, KILL_MS)
}

/** Bounded, since members that nobody reaps (containers without an init) keep a group in being after their end. */
async function isGone(pid: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += POLL_MS) {
    await sleep(POLL_MS)
    if (!signalGroup(pid, 0)) return true
  }
  return false
}

/** False when no process of the group is left, or none that we may signal (macOS says so of zombies). */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

async function endWindowsTree(pid: number): Promise<void> {
  const { execa } = await import('execa')
  await execa('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdio: 'ignore' })
}
