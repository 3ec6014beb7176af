import { join } from 'node:path'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { isHeldBy } from '../../../2-files/src/index.js'
import type { RunHead } from '../journal/index.js'
import { findDeadRun, foreignDeadRuns } from './undo/dead-runs.js'

/**
 * The reason of a failure, in words.
 *
 * @throws errors that are neither of hermes nor of the system
 */
export function reasonOf(error: unknown): string {
  if (error instanceof HermesError && error.hint !== undefined) return `${error.message}. ${error.hint}`
  if (error instanceof HermesError || isNodeError(error)) return error.message
  throw error
}

/**
 * Turns a refusal of the system, such as a full disk, into an error with a hint.
 *
 * @param what begins the sentence, e.g. `The undo`
 * @throws HermesError with the code of the system; any other error of the task
 */
export async function withReason<T>(what: string, root: string, task: () => Promise<T>): Promise<T> {
  return caughtLater(isNodeError, task, (error) => {
    // Without a system call it is a bug of hermes.
    if (error.syscall === undefined) throw error
    throw new HermesError(error.code, `${what} could not be done: ${error.message}`, {
      hint: `What hermes does is first noted in ${join(root, '.hermes')}. Make what is named readable and writable, `
        + 'or make room, then call it again.',
      cause: error,
    })
  })
}

/** @throws HermesError `INTERRUPTED_RUN` */
export function requireNoDeadRun(root: string, heads: readonly RunHead[]): void {
  const run = findDeadRun(root, heads)
  if (!run) return
  throw new HermesError('INTERRUPTED_RUN', `An earlier run was interrupted: ${run.begin.runId}, `
    + `of ${run.begin.startedAt}`, {
    hint: 'hermes recover finishes its bookkeeping and keeps what it did; '
      + 'hermes recover --restore puts back what was before it.',
  })
}

/** One line about an interrupted run that is not this user's, which blocks nothing. */
export function toldOfForeignRuns(root: string, heads: readonly RunHead[]): string | undefined {
  const [last, ...others] = foreignDeadRuns(root, heads)
  if (last === undefined) return undefined
  const which = others.length === 0 ? `An interrupted run, ${last}, is` : `${others.length + 1} interrupted runs are`
  return `${which} in .hermes/journal, but not signed with the key of this user: left alone. `
    + 'If it is yours: hermes recover --trust-journal; else remove it'
}

/** The error for a merge or the like, during which no commit can be made. */
export function inProgress(operation: string): HermesError {
  return new HermesError(
    'OPERATION_IN_PROGRESS', `A ${operation} is in progress in this repository: nothing can be committed`,
    { hint: `Finish it, or take it back (git ${operation} --abort), or run without commits (--no-git).` },
  )
}

/**
 * Refuses a command that needs the lock of the root while the run that calls it holds that lock: they would wait for
 * each other.
 *
 * @throws HermesError `LOCKED`
 */
export function requireNotWithin(root: string, runId: string | undefined, command: string): void {
  if (runId === undefined || !isHeldBy(root, runId)) return
  throw new HermesError('LOCKED', `${command} cannot be called within a run: it needs the root for itself`, {
    hint: `Call it between runs, or use hermes ${command.replace(/^git_/, '').replaceAll('_', '-')}.`,
  })
}
