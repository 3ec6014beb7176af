import { HermesError, isNodeError, type ExecutionResult } from '../../0-contracts/src/index.js'
import type { UndoOutcome } from '../../3-transaction/src/index.js'
import type { Phase, Refusal, ReviewState, RunOutcome } from './review-state.js'

export type Change = { [K in keyof ReviewState]?: ReviewState[K] | undefined }

/** What pages show of a run that has ended. */
export function ranChange(result: ExecutionResult, leftOut: number, undoable: boolean): Change {
  const { success, results, parseErrors, executedActions, durationMs, gitCommit, fatalError, rolledBack } = result
  const { warnings = [], hooks = [] } = result
  const failed = results.filter((each) => !each.success).length + parseErrors.length
  const failedHooks = hooks.filter((hook) => !hook.success && !hook.ignored).length
  const outcome: RunOutcome = {
    success, executed: executedActions, failed, failedHooks, leftOut, durationMs, endedAt: new Date().toISOString(),
    undoable, gitCommit, fatalError, rolledBack,
  }
  return { phase: 'ran', warnings, outcome }
}

/** What pages show of a run that was taken back, or could not be. */
export function undoneChange(
  { success, restored, left, warnings, fatalError }: UndoOutcome, outcome: RunOutcome,
): Change {
  const isWhole = left.length === 0 && fatalError === undefined
  const rolledBack = !isWhole ? 'partly' : success && warnings.length === 0 ? true : 'files'
  const paths = restored.length === 1 ? '1 path is' : `${restored.length} paths are`
  const phase: Phase = isWhole ? 'undone' : 'ran'
  return {
    phase, outcome: { ...outcome, rolledBack },
    notice: {
      kind: isWhole ? 'done' : 'refused',
      text: isWhole ? `Undone: ${paths} as before the run.`
        : fatalError
          ?? `Undone in part. Not put back: ${left.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`,
      ...(warnings.length > 0 && { hint: warnings.join('\n') }),
    },
  }
}

/** @throws what is no failure that a user can be told */
export function asNotice(error: unknown): { text: string; hint?: string | undefined } {
  if (error instanceof HermesError) return { text: error.message, hint: error.hint }
  if (isNodeError(error)) return { text: error.message }
  throw error
}

/** Why an edit was not taken. */
export function refusalOf({ code, message, hint }: HermesError): Refusal {
  return { code, message, hint }
}

/**
 * Said where a run was asked for, and the tree is no longer as shown.
 * @param names of the blocks that do something else now
 */
export function changedNotice(names: readonly string[]): Change {
  const text = `Nothing has run: the files changed since you looked. Shown anew: ${names.join(', ')}.`
  return { notice: { kind: 'changed', text, hint: 'Look at it, then run again.' } }
}
