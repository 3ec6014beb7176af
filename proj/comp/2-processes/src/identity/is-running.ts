import { isNodeError } from '../../../0-contracts/src/index.js'
import { readProcess } from './process-table.js'

/** Whether a process has this id now: of which process it is, is not known. What only waits to be reaped runs not. */
export function isRunning(pid: number): boolean {
  return readProcess(pid)?.lives ?? isTaken(pid)
}

const LARGEST = 0x7fff_ffff

/** Without `/proc`, and for another user's where those are hidden, this is all there is to go by. */
function isTaken(pid: number): boolean {
  // Zero and less are groups, and larger numbers are cut off to such.
  if (!Number.isInteger(pid) || pid < 1 || pid > LARGEST) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // One that we may not signal is there.
    return !isNodeError(error) || error.code !== 'ESRCH'
  }
}
