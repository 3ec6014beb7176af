import { setTimeout as sleep } from 'node:timers/promises'
import { isNodeError } from '../../contracts/src/index.js'

/** Between SIGTERM, on which git removes its lock files, and SIGKILL, in milliseconds. */
const GRACE_MS = 1000
/** Windows has no process groups: there only the child itself can be ended. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * Ends a child and its process group.
 *
 * @param pid of the child, which leads its group
 * @param exited resolves when the child is gone
 */
export async function endGroup(pid: number, exited: Promise<void>): Promise<void> {
  send(pid, 'SIGTERM')
  await Promise.race([exited, sleep(GRACE_MS)])
  // Also what git has started and not ended.
  send(pid, 'SIGKILL')
  await Promise.race([exited, sleep(GRACE_MS)])
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, signal)
  } catch (error) {
    // Nothing of it is left.
    if (!isNodeError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error
  }
}
