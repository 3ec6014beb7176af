import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hermesHome, hermesSecrets } from '../../../2-config/src/index.js'
import { orNothing, type HermesOptions } from '../../../0-contracts/src/index.js'
import { barePlaces, gitPlaces, repositoriesAround, workTreePlaces } from '../../../2-git/src/index.js'
import { isInside, type ClosedPlace } from '../../../2-files/src/index.js'
import { ownPackage } from '../../../2-packages/src/index.js'

/**
 * Paths inside the working directories that a model must not change, since hermes runs them or reads its limits from
 * them. Computed anew for each run, since they depend on git's settings.
 *
 * @param directories root and `--allow` directories, absolute with links resolved
 */
export function closedPlaces(directories: readonly string[], policy: HermesOptions['policy']): ClosedPlace[] {
  const git = directories.map(gitPlaces)
  const places: ClosedPlace[] = [
    ...git.flatMap(({ repositories }) =>
      repositories.map(path => ({ path, denies: 'all' as const, reason: "git's own files" })),
    ),
    ...git.flatMap(({ configurations, hooks }) =>
      [...configurations, ...hooks].map(path => ({
        path,
        denies: 'changes' as const,
        reason: 'git runs programs by it',
      })),
    ),
    ...[policyFile(policy)]
      .flatMap(path => path ?? [])
      .map(path => ({ path, denies: 'all' as const, reason: "hermes' policy file" })),
    // Listed by themselves too, in case their directory is an allowed one.
    ...[hermesHome(), ...hermesSecrets()].map(path => ({
      path, denies: 'all' as const, reason: "hermes' settings and keys",
    })),
    ...ownPrograms().map(path => ({ path, denies: 'changes' as const, reason: 'hermes itself' })),
  ]
  return places
    .flatMap(place => [place, { ...place, path: orNothing(() => realpathSync.native(place.path), place.path) }])
    .filter(({ path }) => directories.some(directory => path !== directory && isInside(directory, path)))
}

/**
 * Closes git's files of repositories below a directory: bare ones, and paths inside a work tree that its git
 * configuration names. A `.git` directory is closed by its name.
 */
export function closedAround(path: string, directory: string): ClosedPlace[] {
  const { workTrees, bare } = repositoriesAround(directory, path)
  return [
    ...bare.map(repository => ({ path: repository, denies: 'changes' as const, reason: "git's own files" })),
    ...[...workTrees.map(workTreePlaces), ...bare.map(barePlaces)]
      .flatMap(({ repositories, configurations, hooks }) => [...repositories, ...configurations, ...hooks])
      .map(place => ({ path: place, denies: 'changes' as const, reason: 'git runs programs by it' })),
  ].filter(place => place.path !== directory && isInside(directory, place.path))
}

function policyFile(policy: HermesOptions['policy']): string | undefined {
  return typeof policy === 'string' ? resolve(policy) : undefined
}

let programs: string[] | undefined

/** Paths of the installed hermes and of Node. */
function ownPrograms(): string[] {
  programs ??= [...installed(), process.execPath]
  return programs
}

/**
 * The directories of the installed package. In a clone, where hermes itself is developed, only the build output is
 * closed: its sources stay writable.
 */
function installed(): string[] {
  const place = ownPackage()
  if (place === undefined) return []
  const built = join(place, 'dist')
  return existsSync(join(place, 'proj')) ? [built] : [place, built]
}
