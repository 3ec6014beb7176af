import { HermesError } from '../../../0-contracts/src/index.js'
import { notARepository, operationInProgress } from '../../../2-git/src/index.js'
import { acquireRootLock, type LockFile } from '../../../2-files/src/index.js'
import type { HookConsent } from '../../../2-sandbox/src/index.js'
import {
  findDeadRun, findRepository, holdFiltersOf, requireNotWithin, requireTrusted, withReason, type Repository,
} from '../transaction/index.js'

export interface HistoryOptions {
  /** Absolute, links resolved. */
  root: string
  /** Checked before anything is changed; what has begun is completed. */
  signal: AbortSignal
  /** How long to wait for a run in the same root, in milliseconds. Default 0. */
  waitMs?: number
  /** Where filters named by the repository's configuration run. Absent: none of them runs. */
  hooks?: HookConsent
  /** Id of the run that calls, if any: while that holds the lock of the root, this fails with `LOCKED`. */
  within?: string
}

/** A repository with at least one commit, locked against other processes of hermes. */
export interface OpenHistory {
  repository: Repository
  /** Full SHA. */
  head: string
  /** `refs/heads/main`; `undefined` when HEAD is detached. */
  branch: string | undefined
}

/**
 * Does `work` while holding the locks of the root and of the top of its work tree.
 *
 * @throws HermesError `NOT_A_REPOSITORY`, `LOCKED` (also when called within a run), `INTERRUPTED_RUN`,
 *   `OPERATION_IN_PROGRESS`, `CANCELLED`, `INVALID_PARAMETER` before the first commit
 */
export async function withHistory<T>(
  command: string, { root, signal, waitMs = 0, within, hooks }: HistoryOptions,
  work: (history: OpenHistory) => Promise<T>,
): Promise<T> {
  requireTrusted(root)
  holdFiltersOf(root, hooks)
  const repository = await findRepository(root)
  if (!repository) throw notARepository(command)
  requireNotWithin(root, within, command)
  // The whole work tree changes, so runs in its top directory are locked out too.
  const roots = root === repository.top ? [root] : [root, repository.top]
  const locks: LockFile[] = []
  try {
    for (const each of roots) {
      locks.push(await withReason(command, each, () => acquireRootLock(each, command, waitMs, signal)))
    }
    if (signal.aborted) {
      throw new HermesError('CANCELLED', `${command}: cancelled (CANCELLED)`, { hint: 'Nothing was changed.' })
    }
    for (const each of roots) requireNoDeadRun(command, each)
    requireNoOperation(command, repository)
    const [head, branch] = await Promise.all([repository.head(), repository.branch()])
    if (head === undefined) {
      throw new HermesError('INVALID_PARAMETER', `${command}: there is no commit yet`, { hint: 'Make a first commit.' })
    }
    return await work({ repository, head, branch })
  } finally {
    for (const lock of locks) lock.release()
  }
}

/** `main` for `refs/heads/main`. */
export function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '')
}

export function shortId(commit: string): string {
  return commit.slice(0, 10)
}

function requireNoDeadRun(command: string, root: string): void {
  const run = findDeadRun(root)
  if (!run) return
  throw new HermesError('INTERRUPTED_RUN', `${command}: an earlier run was interrupted: ${run.begin.runId}`, {
    hint: 'hermes recover finishes its bookkeeping; hermes recover --restore puts back what was before it.',
  })
}

function requireNoOperation(command: string, repository: Repository): void {
  const operation = operationInProgress(repository.gitDirectory)
  if (operation === undefined) return
  const end = operation === 'bisect'
    ? 'git bisect reset ends it'
    : `Finish it, or take it back with git ${operation} --abort`
  throw new HermesError('OPERATION_IN_PROGRESS', `${command}: a ${operation} is in progress, so nothing was changed`, {
    hint: `${end}; then try again.`,
  })
}
