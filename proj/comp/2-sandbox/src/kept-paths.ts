import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, orNothing, settingName, type CommitPlace } from '../../0-contracts/src/index.js'
import { commonDirectoryOf, gitDirectoryOf, gitPlaces, workTreeNamedBy } from '../../2-git/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { lstatOf } from './home.js'
import type { Mount } from './mounts.js'

/** What commands may read and not change in each directory they may write (contract section 3 'commands'). */
export const READ_ONLY_NAMES = ['.git', '.hermes', 'hermes.yaml'] as const
/** Where tools keep hooks of git that hermes itself may run when it commits. */
const HOOK_NAMES = ['.husky', '.githooks']

/**
 * What commands may not change in a directory they may write, also where it is not there: `.git` and the like, and
 * whatever else decides which programs git runs (`core.hooksPath`, included settings, a repository elsewhere).
 *
 * @param further paths that are kept besides
 */
export function keptPaths(directory: string, further: readonly string[] = []): string[] {
  const { repositories, configurations, hooks } = gitPlaces(directory)
  const named = [...READ_ONLY_NAMES, ...HOOK_NAMES].map(name => join(directory, name))
  const inside = [...named, ...repositories, ...configurations, ...hooks, ...further].filter(path => (
    path !== directory && isInside(directory, path)
  ))
  return [...new Set(inside)].filter(path => !inside.some(other => other !== path && isInside(other, path)))
}

export interface MissingPlace {
  path: string
  kind: 'directory' | 'file'
}

/** What has to be made so that it can be kept: git looks there, and a command could be the first to make it. */
export function missingPlaces(directory: string): MissingPlace[] {
  const kept = keptPaths(directory)
  const { configurations, hooks } = gitPlaces(directory)
  const ofGit = [
    ...configurations.map(path => ({ path, kind: 'file' as const })),
    ...hooks.map(path => ({ path, kind: 'directory' as const })),
  ]
  return ofGit.filter(({ path }) => kept.includes(path)).flatMap(({ path, kind }) => {
    const missing = namesBetween(directory, path)
      .find(place => orNothing(() => lstatSync(place, { throwIfNoEntry: false }) === undefined, false))
    return missing === undefined ? [] : [{ path: missing, kind: missing === path ? kind : 'directory' as const }]
  })
}

/**
 * The read-only parts of a directory that commands may write. What is mounted cannot be renamed, and so each directory
 * that leads to one of them is mounted on itself: else another could be put in its place.
 *
 * @param further as of `keptPaths`
 * @param isWritable what commands could change there without this
 */
export function protectedMounts(
  verb: string, directory: string, further: readonly string[] = [], isWritable: (path: string) => boolean = () => true,
): Mount[] {
  const missing = missingPlaces(directory).map(({ path }) => path)
  const places = [...keptPaths(directory, further), ...missing].filter(isWritable)
  const there = places.filter(path => isThere(verb, directory, path))
  const leading = there.flatMap(path => namesBetween(directory, path).slice(0, -1)).filter(isWritable)
  return [
    ...[...new Set(leading)].map((path): Mount => ({ kind: 'write', at: path, from: path })),
    ...there.map((path): Mount => ({ kind: 'read', at: path, from: path })),
    ...linkedRepositories([directory]),
  ]
}

/** The repositories outside of which these directories are work trees. */
export function linkedRepositories(directories: readonly string[]): Mount[] {
  return directories.flatMap(linkedRepository).map((path): Mount => ({ kind: 'read', at: path, from: path }))
}

/** `/a/b` and `/a/b/c` for `/a` and `/a/b/c`. */
export function namesBetween(directory: string, path: string): string[] {
  const names: string[] = []
  for (let here = path; here !== directory && here !== dirname(here); here = dirname(here)) names.unshift(here)
  return names
}

/** @throws HermesError `POLICY_DENIED` for a link on the way: a command could put something else in its place */
function isThere(verb: string, directory: string, path: string): boolean {
  for (const place of namesBetween(directory, path)) {
    const stat = lstatSync(place, { throwIfNoEntry: false })
    if (stat === undefined) return false
    if (!stat.isSymbolicLink()) continue
    throw new HermesError('POLICY_DENIED', `${verb}: '${place}' is a link, and no sandbox can keep it from commands`, {
      hint: 'Ask the user to replace the link by what it leads to, or to run commands without a sandbox '
        + `(${settingName('unconfined')}).`,
    })
  }
  return true
}

/**
 * The repository of a linked work tree or submodule, whose `.git` is a file: readable, so that git works. Only where
 * the repository itself says that this is its work tree, since anybody can write such a file.
 */
function linkedRepository(directory: string): string[] {
  const own = lstatOf(join(directory, '.git'))?.isFile() ? gitDirectoryOf(directory) : undefined
  if (own === undefined || !existsSync(join(own, 'HEAD')) || workTreeNamedBy(own) !== directory) return []
  const common = commonDirectoryOf(own)
  const isItsOwn = common === own || dirname(own) === join(common, 'worktrees')
  return [own, ...(isItsOwn ? [common] : [])].filter(path => !isInside(directory, path))
}

/** What in git's own directory names programs, or other repositories and their programs. */
export const PROGRAM_NAMES = [
  'commondir', 'config', 'config.worktree', 'gitdir', 'hooks', 'info', 'modules', 'objects/info/alternates',
  'worktrees',
] as const

/** What leads there is mounted on itself, so that it cannot be renamed. */
const LEADING = ['objects', 'objects/info']

/** What a hook of a commit finds besides: the whole work tree, and git's own files to work with. */
export function commitMounts({ top, repositories, kept = [] }: CommitPlace, writable: readonly string[]): Mount[] {
  const below = (names: readonly string[]): string[] => (
    repositories.flatMap(directory => names.map(name => join(directory, name))).filter(existsSync)
  )
  const named = [...below(PROGRAM_NAMES), ...kept.filter(existsSync)]
  return [
    ...(writable.some(directory => isInside(directory, top)) ? [] : [{ kind: 'read', at: top, from: top } as const]),
    ...[...repositories, ...below(LEADING)].map((path): Mount => ({ kind: 'write', at: path, from: path })),
    ...named.filter(path => !repositories.includes(path))
      .map((path): Mount => ({ kind: 'read', at: path, from: path })),
  ]
}
