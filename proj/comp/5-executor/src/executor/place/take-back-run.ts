import { resolve } from 'node:path'
import { usageError } from '../../../../0-text/src/index.js'
import { createPathGate } from '../../../../2-files/src/index.js'
import { createRunId, redo, undo, type UndoOutcome } from '../../../../3-transaction/src/index.js'
import { requireRootHere } from './user-policy.js'
import type { ExecutorOptions } from '../settings.js'
import { userHooks } from './user-hooks.js'

/** Options for undoing or repeating a run. */
export interface TakeBackOptions {
  /** Where files were changed since, merge with these changes, by conflict markers if need be. Default: stop. */
  force?: boolean | undefined
  /** Aborts the wait for another run in the root, and the work between two files. */
  signal?: AbortSignal | undefined
}

/** The run to undo or repeat. */
export interface Reversing {
  kind: 'undo' | 'redo'
  /** Id of the run, or its beginning. Default: the last one. */
  target?: string | undefined
  force?: boolean | undefined
  signal: AbortSignal
}

/**
 * A path gate with the user's own rights: files that a command planted are undone too. @param options of the session
 */
export function userGate(
  { root, allow = [] }: Pick<ExecutorOptions, 'root' | 'allow'>,
): ReturnType<typeof createPathGate> {
  return createPathGate({ root: resolve(root ?? '.'), allow, forUser: true })
}

/**
 * Undoes or repeats a run, as `hermes undo` and `hermes redo` do, with the options of the session that made it.
 *
 * @throws HermesError as `undo` of `3-transaction`; `INVALID_OPTION` in a dry run
 */
export async function takeBack(
  options: ExecutorOptions, { kind, target, force = false, signal }: Reversing,
): Promise<UndoOutcome> {
  if (options.dryRun) {
    throw usageError(`${kind}: this session is a dry run, and changes nothing`, 'Call it on a session without dryRun.')
  }
  const gate = userGate(options)
  const { policy } = options
  await requireRootHere(gate.root, kind, policy)
  const git = options.gitCommit !== false
  const request = {
    root: gate.root, gate, runId: createRunId(), force, git, durable: options.durable ?? false,
    waitMs: options.waitMs ?? 0, signal,
    ...(git && { hooks: await userHooks(gate.root, options.allow ?? [], options) }),
  }
  return kind === 'redo' ? redo(request) : undo({ ...request, ...(target !== undefined && { target }) })
}
