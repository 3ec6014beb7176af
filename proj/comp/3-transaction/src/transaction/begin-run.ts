import { join } from 'node:path'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { acquireRootLock, type LockFile } from '../../../2-files/src/index.js'
import { requireTrusted } from './made-before-death.js'
import { findRepository, holdFiltersOf, type Repository } from './repository.js'
import type { TransactionOptions } from './transaction-options.js'

type LockOptions = Pick<TransactionOptions, 'root' | 'runId' | 'waitMs' | 'signal' | 'onWait'>
type PlaceOptions = Pick<TransactionOptions, 'root' | 'git' | 'requireGit' | 'hooks'>

/**
 * @throws HermesError as `acquireRootLock`, `requireTrusted`, and with the system's code where `.hermes` cannot be
 *   written
 */
export async function takeLock({ root, runId, waitMs, signal, onWait }: LockOptions): Promise<LockFile> {
  requireTrusted(root)
  return await caughtLater(isNodeError, () => acquireRootLock(root, runId, waitMs, signal, onWait), (error) => {
    throw new HermesError(error.code, `The run cannot begin: ${error.message}`, {
      hint: `What a run changes is first noted in ${join(root, '.hermes')}: make it writable, or make room.`,
      cause: error,
    })
  })
}

/**
 * Does a task that needs the root's lock but is no run.
 *
 * @throws as `takeLock`
 */
export async function underLock(options: LockOptions, task: () => void): Promise<void> {
  const lock = await takeLock(options)
  try {
    task()
  } finally {
    lock.release()
  }
}

/**
 * The repository for the commit of a run; none where git refuses it or is missing, so that only the journal is kept.
 *
 * @param warnings receives the reason why there is none
 * @throws HermesError `NOT_A_REPOSITORY`, and git's refusals, where the run requires git
 */
export async function repositoryOfRun(
  { root, git, requireGit, hooks }: PlaceOptions, warnings: string[],
): Promise<Repository | undefined> {
  holdFiltersOf(root, hooks)
  let repository: Repository | undefined
  try {
    repository = await findRepository(root)
  } catch (error) {
    if (!(error instanceof HermesError) || requireGit) throw error
    const consequence = git ? 'Not committed' : 'What commands change cannot be undone'
    warnings.push(`${consequence}: ${error.message}`)
  }
  if (!repository && requireGit) {
    throw new HermesError('NOT_A_REPOSITORY', `There is no git work tree at ${root}, and a commit was asked for`, {
      hint: 'Run git init there, or leave gitCommit out.',
    })
  }
  return repository
}
