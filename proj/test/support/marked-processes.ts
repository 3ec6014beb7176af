import { readdirSync, readFileSync } from 'node:fs'
import { isNodeError } from '../../comp/0-contracts/src/index.js'

/** Ids of the processes that have a text in their environment, by /proc. */
export function markedProcesses(mark: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
    } catch (error) {
      // It has ended meanwhile, or is another user's.
      if (isNodeError(error)) return false
      throw error
    }
  })
}
