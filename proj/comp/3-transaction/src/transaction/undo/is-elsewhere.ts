import { caughtLater, HermesError } from '../../../../0-contracts/src/index.js'
import type { ExaminedRun } from './examine-run.js'
import { findRepository } from '../repository.js'

const DAY_MS = 24 * 3600 * 1000

/**
 * Whether these runs have commits and HEAD has none of them, as on another branch. One that was rewritten since (a
 * rebase, a squash) is known by its trailer.
 */
export async function isElsewhere(root: string, examined: readonly ExaminedRun[]): Promise<boolean> {
  const commits = examined.flatMap(({ run }) => run.end?.commit ?? [])
  if (commits.length === 0) return false
  // Where git refuses the repository, nothing is known of its history.
  const repository = await caughtLater(HermesError, () => findRepository(root), () => undefined)
  if (!repository) return false
  for (const commit of commits) {
    if ((await repository.try(['merge-base', '--is-ancestor', commit, 'HEAD'])).exitCode === 0) return false
  }
  for (const { run: { begin: { runId, startedAt } } } of examined) {
    const since = `--since=${new Date(Date.parse(startedAt) - DAY_MS).toISOString()}`
    const { stdout } = await repository.try([
      'rev-list', '-1', since, '--fixed-strings', `--grep=Hermes-Run: ${runId}`, 'HEAD', '--',
    ])
    if (stdout.length > 0) return false
  }
  return true
}
