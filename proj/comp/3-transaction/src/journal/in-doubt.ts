import { MOST_HELD_WRITES } from './held-writes.js'
import type { FileOperation } from './operations.js'
import type { RunRecord } from './read-run.js'

/**
 * Changes that are in the journal of a run that died, and that may not have been made: the last one, and of a durable
 * run those that one flush of the journal was for.
 *
 * @returns the last first, one of each path: what it changed before was made by then
 */
export function changesInDoubt({ begin, operations }: Pick<RunRecord, 'begin' | 'operations'>): FileOperation[] {
  const last = operations.at(-1)
  if (last?.op === 'move') return [last]
  const most = begin.durable ? MOST_HELD_WRITES : 1
  const changes = new Map<string, FileOperation>()
  for (const operation of operations.slice(-most).reverse()) {
    if (operation.op !== 'set') break
    if (!changes.has(operation.path)) changes.set(operation.path, operation)
  }
  return [...changes.values()]
}
