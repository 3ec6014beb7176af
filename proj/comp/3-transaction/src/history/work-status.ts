import { lstatSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, unlessCode } from '../../../0-contracts/src/index.js'
import { nulFields, parseStatus } from '../../../2-git/src/index.js'
import type { Repository } from '../transaction/index.js'

/**
 * Uncommitted work. Paths are relative to the top of the work tree; no path is in two of `changed`, `missing` and
 * `untracked`.
 */
export interface WorkStatus {
  /** All paths, sorted. */
  paths: string[]
  /** In the index, but different on disk. */
  changed: string[]
  /** In the index, but not on disk. */
  missing: string[]
  /** On disk, but not in the index. */
  untracked: string[]
  /** Those of `untracked` that were added with `git add --intent-to-add`. */
  intentToAdd: string[]
}

/**
 * Lists uncommitted work, without submodules and other repositories in the work tree.
 *
 * @param ignored paths to leave out as well, see `StepsState`
 * @throws HermesError `OPERATION_IN_PROGRESS` for unresolved conflicts, `EEXIST` for ignored files that a commit's file
 *   would replace, `INVALID_PARAMETER` for names that are not UTF-8
 */
export async function workStatus(
  command: string, repository: Repository, ignored: readonly string[],
): Promise<WorkStatus> {
  const output = await repository.run([
    'status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames',
  ])
  const { entries } = parseStatus(output)
  if (entries.some(({ kind }) => kind === 'conflicted')) {
    throw new HermesError('OPERATION_IN_PROGRESS', `${command}: there are conflicts that are not resolved`, {
      hint: 'Resolve them and git add the files; then try again.',
    })
  }
  const isIgnored = matcher(ignored)
  const status: WorkStatus = { paths: [], changed: [], missing: [], untracked: [], intentToAdd: [] }
  const staged = entries.filter(({ kind, index, workTree }) => kind === 'changed' && index !== 'D' && workTree !== 'A')
  const inIndex = new Set(staged.map(({ path }) => path))
  const untracked = new Set<string>()
  const gone: string[] = []
  for (const { path, kind, index, workTree } of entries) {
    requireName(command, path)
    const stat = statOf(repository, path)
    const isFile = stat?.isFile() === true || stat?.isSymbolicLink() === true
    if (kind === 'untracked') {
      // A name that ends with a slash is another repository.
      if (path.endsWith('/') || isIgnored(path)) continue
      untracked.add(path)
    } else if (workTree === 'A') {
      status.intentToAdd.push(path)
      untracked.add(path)
    } else {
      const isSubmodule = stat?.isDirectory() === true && workTree === 'M'
      if (isSubmodule && index === '.') continue
      if (index === 'D' || workTree === 'D') gone.push(path)
      if (workTree !== '.' && !isSubmodule) (isFile ? status.changed : status.missing).push(path)
    }
    status.paths.push(path)
  }
  for (const path of gone) {
    const instead = await whatStandsFor(command, repository, path)
    if (instead !== undefined && !inIndex.has(instead)) untracked.add(instead)
  }
  status.untracked = [...untracked]
  status.paths = [...new Set([...status.paths, ...untracked])].sort()
  return status
}

/**
 * The file that git would overwrite when it writes `path` back: usually an ignored one that was removed from the index
 * (`git rm --cached`). It counts as work as well.
 */
async function whatStandsFor(command: string, repository: Repository, path: string): Promise<string | undefined> {
  for (let name = path; name !== '.'; name = dirname(name)) {
    const stat = statOf(repository, name)
    if (stat?.isFile() === true || stat?.isSymbolicLink() === true) return name
    if (stat === undefined) continue
    if (name !== path || !(await holdsIgnored(repository, name))) return undefined
    throw new HermesError(
      'EEXIST', `${command}: '${path}' is a file in the commit, here a directory of ignored files`,
      { hint: 'Move the directory away first: git would remove it to write the file.' },
    )
  }
  return undefined
}

async function holdsIgnored(repository: Repository, directory: string): Promise<boolean> {
  const literal = `:(top,literal)${directory}`
  const output = await repository.run(['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', literal])
  return output.length > 0
}

/** Paths that git ignores now; an ignored directory is one path. */
export async function ignoredNow(repository: Repository): Promise<string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  return nulFields(await repository.run(args))
}

/** `undefined` where there is nothing. */
export function statOf(repository: Repository, path: string): Stats | undefined {
  return unlessCode(['ENOTDIR'], () => lstatSync(join(repository.top, path), { throwIfNoEntry: false }), undefined)
}

function matcher(names: readonly string[]): (path: string) => boolean {
  const files = new Set(names)
  return path => {
    if (files.has(path)) return true
    for (let name = dirname(path); name !== '.'; name = dirname(name)) if (files.has(`${name}/`)) return true
    return false
  }
}

function requireName(command: string, path: string): void {
  if (!path.includes('\ufffd')) return
  throw new HermesError('INVALID_PARAMETER', `${command}: the name of '${path}' is not UTF-8`, {
    hint: 'Rename or commit the file first: work under such a name cannot be stashed.',
  })
}
