import { noteMadeBetween, requireTrustedRoot } from '../../../2-sandbox/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { isThisProcess } from '../../../2-processes/src/index.js'
import type { RunRecord } from '../journal/index.js'
import { aliveUntil } from './heartbeat.js'
import { rootAbove } from './run-history.js'
import { findDeadRun } from './undo/dead-runs.js'

/**
 * Notes the repositories and policies that the commands of a run which died made: they count for nothing until the user
 * says so.
 *
 * @returns their paths
 */
export function noteMadeBeforeDeath(root: string, run: RunRecord): string[] {
  const until = aliveUntil(run.directory)
  if (until === undefined) return []
  return noteMadeBetween(root, Date.parse(run.begin.startedAt), Number(until / 1_000_000n))
}

/**
 * A redo makes again what the commands of a run had made: it counts for nothing still.
 *
 * @param restored paths as stored
 * @param from when the redo began, in milliseconds
 */
export function noteMadeAgain(root: string, restored: readonly string[], from: number): string[] {
  const isPolicy = (path: string): boolean => /(?:^|\/)(?:hermes\.yaml|\.hermes)(?:\/|$)/i.test(path)
  return restored.some(isPolicy) ? noteMadeBetween(root, from, Date.now()) : []
}

/** @param when completes "Made by a command" */
export function toldOfMade(made: readonly string[], when = ''): string[] {
  return made.length === 0 ? [] : [`Made by a command${when}, so that it counts for nothing: ${listed(made)}. `
    + 'Look at it, then hermes init --trust there, or remove it']
}

/**
 * As `requireTrustedRoot`, also where the command that made the directory's settings was of a run that died in a root
 * above it, and has not been recovered.
 *
 * @param directory canonical
 */
export function requireTrusted(directory: string): void {
  for (let above = rootAbove(directory); above !== undefined; above = rootAbove(above)) {
    const dead = deadIn(above)
    if (dead) noteMadeBeforeDeath(above, dead)
  }
  requireTrustedRoot(directory)
}

function deadIn(root: string): RunRecord | undefined {
  try {
    const dead = findDeadRun(root)
    // One of this process may be at work.
    return dead?.begin.owner && isThisProcess(dead.begin.owner) ? undefined : dead
  } catch (error) {
    // A journal that cannot be read stops only who works in its root.
    if (error instanceof HermesError) return undefined
    throw error
  }
}
