import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { listRunIds } from '../../journal/src/index.js'

/** Runs whose journal is kept. */
const KEPT_RUNS = 100

/** Removes the journals of the oldest runs: those can no longer be undone. */
export function pruneRuns(root: string): void {
  for (const runId of listRunIds(root).slice(KEPT_RUNS)) {
    rmSync(join(root, '.hermes', 'journal', runId), { recursive: true, force: true })
  }
}
