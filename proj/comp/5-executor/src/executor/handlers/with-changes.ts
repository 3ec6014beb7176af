import type { FileChange } from '../../../../0-contracts/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import type { Outcome } from '../failures.js'

const MOST_NAMED = 5

/** Failures that come after a handler's work, or in the middle of it: what it has done by then stays done. */
export function isCutShort({ code }: Outcome): boolean {
  return code === 'INTERNAL' || code === 'TIMEOUT' || code === 'CANCELLED'
}

/** A failure whose hint says what the handler had changed before it. */
export function withChanges(outcome: Outcome, changes: readonly FileChange[]): Outcome {
  const paths = [...new Set(changes.map(({ path }) => path))]
  if (paths.length === 0) return outcome
  const named = paths.slice(0, MOST_NAMED).map((path) => escapeControls(path)).join(', ')
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  const done = `Before that it had changed ${named}${more}: look at it before you send the block again.`
  return { ...outcome, hint: outcome.hint === undefined ? done : `${outcome.hint}\n${done}` }
}
