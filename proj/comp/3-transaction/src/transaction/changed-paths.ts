import { captureState, isSameState, resolveStored, type PathStates } from '../journal/index.js'
import type { ChangedPath } from './commit/commit-request.js'

/**
 * What verbs changed, as it is committed.
 *
 * @param commandsRan then what they made of these files is the run's, too
 */
export function changedPaths(root: string, states: PathStates, commandsRan: boolean): ChangedPath[] {
  return states.changedByName().map(({ path: stored, before, after }) => {
    const path = resolveStored(root, stored)
    const now = commandsRan ? captureState(path) : after
    return { path, before, after: isSameState(now, after) ? after : now }
  })
}
