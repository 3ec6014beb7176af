import type { BlockRun } from './run-parts.js'

/** Types of verbs that leave everything as it is. */
const HARMLESS = new Set(['read', 'meta'])

/** True for a block that may have changed something; in a dry run also for one that would be started. */
export function isChanging({ started, verb, outcome }: BlockRun, dryRun: boolean): boolean {
  if (!started) return dryRun && outcome.success
  return verb !== undefined && !HARMLESS.has(verb.type)
}
