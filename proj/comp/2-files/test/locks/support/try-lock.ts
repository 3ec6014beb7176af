/** Tries a lock once, prints `mine`, the process that has it, or why it cannot be had, and ends with its input. */
import { isNodeError, HermesError } from '../../../../0-contracts/src/index.js'
import { LockFile } from '../../../src/locks/index.js'
import { takeAway } from './without.js'

takeAway()
process.stdin.resume()
// Those that were started together try together.
const at = Number(process.argv[3] ?? 0)
while (Date.now() < at);
process.stdout.write(`${outcome(process.argv[2] ?? '')}\n`)

function outcome(path: string): string {
  try {
    const lock = LockFile.tryAt(path, 'trial')
    return lock instanceof LockFile ? 'mine' : String(lock.pid)
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) return `${error.code} ${error.message}`
    throw error
  }
}
