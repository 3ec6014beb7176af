import { noteMadeBetween, requireTrustedRoot } from '../../../2-sandbox/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { unlessRefused } from '../../../0-contracts/src/index.js'
import { isThisProcess } from '../../../2-processes/src/index.js'
import type { RunRecord } from '../journal/index.js'
import { aliveUntil } from './heartbeat.js'
import { rootAbove } from './run-history.js'
import { findDeadRun } from './undo/dead-runs.js'

/**
 * Marks repositories and policies that the commands of a dead run created: they are ignored until the user trusts them.
 *
 * @returns their paths
 */
export function noteMadeBeforeDeath(root: string, run: RunRecord): string[] {
  const until = aliveUntil(run.directory)
  if (until === undefined) return []
  return noteMadeBetween(root, Date.parse(run.begin.startedAt), Number(until / 1_000_000n))
}

/**
 * Marks what a redo restored of the creations of commands, which is still not trusted.
 *
 * @param restored paths as stored
 * @param from start of the redo, in milliseconds
 */
export function noteMadeAgain(root: string, restored: readonly string[], from: number): string[] {
  const isPolicy = (path: string): boolean => /(?:^|\/)(?:hermes\.yaml|\.hermes)(?:\/|$)/i.test(path)
  return restored.some(isPolicy) ? noteMadeBetween(root, from, Date.now()) : []
}

/** @param when continues the sentence "Made by a command" */
export function toldOfMade(made: readonly string[], when = ''): string[] {
  return made.length === 0 ? [] : [`Made by a command${when}, so that it counts for nothing: ${listed(made)}. `
    + 'Look at it, then hermes init --trust there, or remove it']
}

/**
 * As `requireTrustedRoot`, also where the directory's settings were made by a command of a run in a root above it that
 * died and has not been recovered.
 *
 * @param directory absolute, links resolved
 */
export function requireTrusted(directory: string): void {
  for (let above = rootAbove(directory); above !== undefined; above = rootAbove(above)) {
    const dead = deadIn(above)
    if (dead) noteMadeBeforeDeath(above, dead)
  }
  requireTrustedRoot(directory)
}

function deadIn(root: string): RunRecord | undefined {
  // A journal that cannot be read stops only who works in its root.
  return unlessRefused(() => {
    const dead = findDeadRun(root)
    // A run of this process may still be at work.
    return dead?.begin.owner && isThisProcess(dead.begin.owner) ? undefined : dead
  }, undefined)
}
