import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasEnded, LOG_FILE, type RunHead } from '../journal/index.js'

/** Runs whose journal is kept; those of one unit, e.g. a message, count as one. */
const KEPT_RUNS = 100

/** Removes the journals of the oldest runs: those can no longer be undone. What is to be recovered stays. */
export function pruneRuns(root: string, heads: readonly RunHead[]): void {
  const kept = new Set<string>()
  const old = heads.toReversed().filter(({ runId, begin }) => (
    kept.size > KEPT_RUNS || kept.add(begin?.unit ?? runId).size > KEPT_RUNS
  ))
  for (const { runId, begin } of old.reverse()) {
    if (begin === undefined || !hasEnded(root, runId)) continue
    const directory = join(root, '.hermes', 'journal', runId)
    // Without it there is no run, also where this is cut short.
    rmSync(join(directory, LOG_FILE), { force: true })
    rmSync(directory, { recursive: true, force: true })
  }
}
