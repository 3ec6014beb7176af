import { dirname } from 'node:path'
import { HermesError, type VerbContext } from '../../0-contracts/src/index.js'
import { findWorkTree, type StatusEntry } from '../../2-git/src/index.js'
import { missingPath } from '../../2-files/src/index.js'
import type { CommitRun } from './verb-commit.js'
import { nothingToCommit, type Selection } from './commit-selection.js'
import { approveOwn, isDirectory, type OpenedRepository } from './open-repository.js'

/**
 * The changes of the files that a call names.
 *
 * @throws HermesError for a file that is missing, a directory, ignored or in another repository, and
 * `NOTHING_TO_COMMIT` when none of them differs
 */
export async function namedChanges(
  files: readonly string[], entries: readonly StatusEntry[], repository: OpenedRepository, run: CommitRun,
  context: VerbContext,
): Promise<Selection> {
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const changed = new Set<string>()
  const added = new Set<string>()
  let tracked: ReadonlySet<string> | undefined
  for (const file of files) {
    const target = approveOwn('git_commit', file, context)
    const path = repository.fromTop(target)
    const entry = path === undefined ? undefined : byPath.get(path)
    if (path !== undefined && entry !== undefined) {
      changed.add(path)
      if (entry.kind === 'untracked') added.add(path)
      continue
    }
    const stat = context.files.lstat(target)
    if (stat === undefined) throw missingPath('git_commit', file, target, context)
    tracked ??= await run.tracked()
    if (path !== undefined && tracked.has(path)) continue
    if (stat.kind === 'directory') throw isDirectory('git_commit', file)
    const { top } = await findWorkTree({ ...run.where, cwd: dirname(target) })
    throw top === repository.top ? ignored(file) : elsewhere(file, files[0] ?? '')
  }
  if (changed.size === 0) throw nothingToCommit('the named files do not differ from the last commit', entries)
  return { changed: [...changed], added: [...added] }
}

function ignored(file: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `git_commit: the repository ignores '${file}'`, {
    hint: 'Leave it out, or change .gitignore first if it belongs in the repository.',
  })
}

function elsewhere(file: string, first: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `git_commit: '${file}' is in another repository than '${first}'`, {
    hint: 'Commit the files of each repository in a call of its own.',
  })
}
