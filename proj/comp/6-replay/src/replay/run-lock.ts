import { join } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'
import { LockFile } from '../../../2-files/src/index.js'
import type { RunWords } from './report/run-words.js'

/**
 * Keeps a run's directory for this process: two that wrote there would mix their results.
 *
 * @returns what gives it free; the end of the process does, too
 * @throws HermesError `LOCKED`, or Node's codes
 */
export function lockRun(directory: string, { who, flag }: RunWords): () => void {
  const file = join(directory, 'lock')
  const lock = LockFile.tryAt(file, who)
  if (!(lock instanceof LockFile)) {
    throw new HermesError('LOCKED', `Another ${who} works in the run ${directory} (process ${lock.pid})`, {
      hint: `Wait until it has ended, or give another name with ${flag}. If it ran on a host that is gone, `
        + `remove ${file}.`,
    })
  }
  const release = (): void => {
    process.off('exit', release)
    lock.release()
  }
  process.once('exit', release)
  return release
}
