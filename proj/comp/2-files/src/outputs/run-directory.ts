import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { stateDirectory } from '../store/index.js'

/** How many runs keep their files; names of runs sort by time. */
const KEPT_RUNS = 50

/**
 * The directory for what is kept of a run besides its journal: `.hermes/runs/<run>` below the root. Where it holds
 * nothing yet, those of the oldest runs go.
 *
 * @throws as `stateDirectory`
 */
export function runDirectory(root: string, runId: string): string {
  const directory = stateDirectory(root, 'runs', runId)
  if (readdirSync(directory).length === 0) removeOldRuns(join(directory, '..'), runId)
  return directory
}

function removeOldRuns(runs: string, current: string): void {
  const others = readdirSync(runs, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== current).map(({ name }) => name).sort()
  for (const name of others.slice(0, -(KEPT_RUNS - 1))) {
    try {
      rmSync(join(runs, name), { recursive: true, force: true })
    } catch (error) {
      // What another user owns stays; the run has its files all the same.
      if (!isNodeError(error)) throw error
    }
  }
}
