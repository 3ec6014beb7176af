import { unlessCode } from '../../../0-contracts/src/index.js'

/** Whether a program can lead a process group of its own, which is ended as one. Windows has no groups. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * @param pid a negative one names a group
 * @param signal 0 asks only
 * @returns false when nothing is left of it, or nothing that we may signal (macOS says so of zombies)
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  return unlessCode(['ESRCH', 'EPERM'], () => process.kill(pid, signal), false)
}
