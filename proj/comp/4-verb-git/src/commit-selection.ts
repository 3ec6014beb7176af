import { HermesError } from '../../0-contracts/src/index.js'
import { operationInProgress, type StatusEntry } from '../../2-git/src/index.js'
import type { OpenedRepository } from './open-repository.js'

/** What to commit from the work tree; paths from the top. */
export interface Selection {
  /** All paths. */
  changed: readonly string[]
  /** Those of them that git does not track yet. */
  added: readonly string[]
}

/** @throws HermesError `OPERATION_IN_PROGRESS` during a merge and the like: concluding it is more than a commit */
export function requireFinished(entries: readonly StatusEntry[], repository: OpenedRepository): void {
  const operation = operationInProgress(repository.gitDirectory)
  const conflicts = entries.filter(({ kind }) => kind === 'conflicted').length
  if (conflicts === 0 && (operation === undefined || operation === 'bisect')) return
  const what = operation === undefined ? 'files have conflicts' : `a ${operation} is not ended`
  throw new HermesError('OPERATION_IN_PROGRESS', `git_commit: ${what}, so nothing was committed`, {
    hint: operation === undefined || operation === 'bisect'
      ? 'git_status lists the files under conflicted: resolve them, and let the user stage them with git add.'
      : `Only the user can end it: git ${operation} --continue or git ${operation} --abort.`,
  })
}

/** @throws HermesError `NOTHING_TO_COMMIT`; `POLICY_DENIED` where staged files may not be committed */
export function stagedChanges(entries: readonly StatusEntry[], repository: OpenedRepository): void {
  const staged = entries.filter(isStaged)
  if (staged.length === 0) throw nothingToCommit('nothing is staged', entries)
  const hidden = staged.filter(({ path }) => !repository.allowed(path)).length
  if (hidden === 0) return
  throw new HermesError(
    'POLICY_DENIED',
    `git_commit: ${hidden} of the staged files are outside the root or denied, so nothing was committed`,
    { hint: 'Name the files to commit in files, or ask the user to unstage the others.' },
  )
}

/** @returns the changes that may be committed */
export function everyTrackedChange(entries: readonly StatusEntry[], repository: OpenedRepository): string[] {
  const changes = entries.filter(({ kind, path }) => kind === 'changed' && repository.allowed(path))
  if (changes.length === 0) throw nothingToCommit('no tracked file is changed', entries)
  return changes.map(({ path }) => path)
}

export function isStaged({ kind, index }: StatusEntry): boolean {
  return kind === 'changed' && index !== '.'
}

export function nothingToCommit(reason: string, entries: readonly StatusEntry[]): HermesError {
  const hint = entries.length === 0
    ? 'All is committed already: change something first.'
    : 'Name the files to commit in files, or give all: true for all changes of tracked files. git_status lists them.'
  return new HermesError('NOTHING_TO_COMMIT', `git_commit: nothing to commit: ${reason}`, { hint })
}
