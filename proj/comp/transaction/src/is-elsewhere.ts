import { HermesError } from '../../contracts/src/index.js'
import type { ExaminedRun } from './examine-run.js'
import { findRepository, type Repository } from './repository.js'

/** Whether these runs have commits and HEAD has none of them, as on another branch. */
export async function isElsewhere(root: string, examined: readonly ExaminedRun[]): Promise<boolean> {
  const commits = examined.flatMap(({ run }) => run.end?.commit ?? [])
  const repository = commits.length > 0 ? await repositoryOf(root) : undefined
  if (!repository) return false
  for (const commit of commits) {
    if ((await repository.try(['merge-base', '--is-ancestor', commit, 'HEAD'])).exitCode === 0) return false
  }
  return true
}

/** Where git refuses the repository, nothing is known of its history. */
async function repositoryOf(root: string): Promise<Repository | undefined> {
  try {
    return await findRepository(root)
  } catch (error) {
    if (error instanceof HermesError) return undefined
    throw error
  }
}
