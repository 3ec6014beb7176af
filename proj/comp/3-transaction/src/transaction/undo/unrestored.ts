import { isAbsolute } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { isSameState, savedContent, statesOf, type PathChange, type RunRecord } from '../../journal/index.js'
import { stateNow, type Places as RunPlaces } from './examine-run.js'
import { approveAgain, onDisk } from './put-back.js'
import type { PathReason } from './reversal.js'
import { reasonOf } from '../run-refusals.js'

type Places = Pick<RunPlaces, 'root' | 'gate'>

/** Paths that verbs changed and that are not as before the run, the last changed first. */
function notAsBefore(run: RunRecord, { root, gate }: Places): PathChange[] {
  return statesOf(run).changedByName().toReversed().filter(({ path, before }) => {
    const now = stateNow(root, gate, path)
    return now === undefined || !isSameState(now, before)
  })
}

/**
 * Adds unrestored paths that are not reported yet: a file that was moved and then changed by someone else stays where
 * it is.
 */
export function withUnnamed(run: RunRecord, left: readonly PathReason[], places: Places): PathReason[] {
  const named = new Set(left.map(({ path }) => path))
  return [
    ...left,
    ...notAsBefore(run, places).filter(({ path }) => !named.has(path)).map(({ path }) => ({
      path, reason: 'not as before: changed by someone else since, or moved from where something else changed',
    })),
  ]
}

/**
 * Restores files and links to their state before the run, whoever changed them since.
 *
 * @returns what is still left
 */
export function forceBack(run: RunRecord, left: readonly PathReason[], places: Places): PathReason[] {
  const asked = new Set(left.map(({ path }) => path))
  const failed = new Map<string, string>()
  for (const { path, before } of notAsBefore(run, places)) {
    if (!asked.has(path)) continue
    try {
      // The journal lacks the contents of a moved directory.
      if (before.kind === 'directory') throw new HermesError('CHANGED_ON_DISK', 'changed by someone else since')
      const approved = approveAgain(places.root, places.gate, path)
      onDisk().restore(approved, before, before.kind === 'file' ? savedContent(run.directory, before) : undefined)
    } catch (error) {
      failed.set(path, reasonOf(error))
    }
  }
  const known = new Set(statesOf(run).changedByName().map(({ path }) => path))
  return left.flatMap(
    ({ path, reason }) => (known.has(path) && !failed.has(path) ? [] : [{ path, reason: failed.get(path) ?? reason }]),
  )
}

/** Directories that the run created and that only hold what it did not put there. */
export function keptDirectories(run: RunRecord, left: readonly PathReason[], { root, gate }: Places): Set<string> {
  const moved = new Set(statesOf(run).movedDirectories.map(({ to }) => to))
  const made = statesOf(run).changed()
    .filter(({ path, before, after }) => before.kind === 'absent' && after.kind === 'directory'
    && !moved.has(path) && !isAbsolute(path) && stateNow(root, gate, path)?.kind === 'directory')
  return new Set(made.map(({ path }) => path).filter((path) => !left.some((item) => item.path.startsWith(`${path}/`))))
}
