import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { stateDirectory } from './state-directory.js'

/** How many runs keep what they put there; names of runs sort by time. */
const KEPT_RUNS = 50

/**
 * The directory of a run, `.hermes/runs/<run>` below the root, created where it is missing: what its calls gave and no
 * model was shown whole. Verbs may read there. Those of all but the newest runs are removed.
 *
 * @throws HermesError `POLICY_DENIED` where a link stands in its place; Node's errors
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
    // What another user owns stays; the run has its files all the same.
    orNothing(() => rmSync(join(runs, name), { recursive: true, force: true }), undefined)
  }
}
