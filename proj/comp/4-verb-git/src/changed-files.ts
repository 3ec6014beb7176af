import { HermesError } from '../../0-contracts/src/index.js'
import { nulFields, parseNumstat, type ChangedLines, type GitReader } from '../../2-git/src/index.js'
import type { OpenedRepository } from './open-repository.js'

/** Most denied files that can be excluded by name. */
const MAX_LEFT_OUT = 500

/**
 * The files of a diff as results show them, and the names (from the top) of those that must not be shown.
 *
 * @param conflicts `isCounted`: the diff is of whole files, including those in conflict
 */
export async function changedFiles(
  git: GitReader, what: readonly string[], conflicts: { isCounted: boolean }, repository: OpenedRepository,
) {
  const fromTop = (path: string) => repository.rootPrefix + path
  const conflicted = await conflictedFiles(git, repository)
  const counted = parseNumstat((await git.read([...what, '--numstat', '-z', ...repository.limit])).stdout)
  const uncounted = [...conflicted].map(path => ({ path, added: 0, removed: 0 }))
  // For files in conflict git prints lines of zeros, with names from the top.
  const isWhole = ({ path, added, removed }: ChangedLines) => (
    !conflicted.has(path) && !(added + removed === 0 && conflicted.has(withoutStart(path, repository.rootPrefix)))
  )
  const all: ChangedLines[] = conflicts.isCounted ? counted : [...counted.filter(isWhole), ...uncounted]
  const isShown = ({ path, oldPath = path }: ChangedLines) => (
    [path, oldPath].every(one => repository.allowed(fromTop(one)))
  )
  const denied = all.filter(changedLines => !isShown(changedLines))
    .flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])).map(fromTop)
  if (denied.length > MAX_LEFT_OUT) {
    throw new HermesError('POLICY_DENIED', 'git_diff: too many of the changed files are denied', {
      hint: 'Give the path of one file, or of a directory with fewer changes.',
    })
  }
  const files = all.filter(isShown).map(({ path, oldPath, added, removed, binary }) => ({
    path: repository.shown(fromTop(path)),
    added,
    removed,
    ...(binary && { binary }),
    ...(oldPath !== undefined && { old_path: repository.shown(fromTop(oldPath)) }),
    ...(conflicted.has(path) && { conflicted: true as const }),
  }))
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), denied }
}

/** Files left in conflict by a merge, named as in a diff's numbers. */
async function conflictedFiles(git: GitReader, { rootPrefix, limit }: OpenedRepository): Promise<ReadonlySet<string>> {
  const { stdout } = await git.read(['ls-files', '--full-name', '--unmerged', '-z', ...limit])
  const names = nulFields(stdout).map(entry => entry.slice(entry.indexOf('\t') + 1))
  return new Set(names.filter(name => name.startsWith(rootPrefix)).map(name => withoutStart(name, rootPrefix)))
}

function withoutStart(path: string, start: string): string {
  return path.startsWith(start) ? path.slice(start.length) : path
}
