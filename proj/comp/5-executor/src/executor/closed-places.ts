import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hermesHome, hermesSecrets } from '../../../2-config/src/index.js'
import { orNothing, type HermesOptions } from '../../../0-contracts/src/index.js'
import { barePlaces, gitPlaces, repositoriesAround, workTreePlaces } from '../../../2-git/src/index.js'
import { isInside, type ClosedPlace } from '../../../2-files/src/index.js'
import { ownPackage } from '../../../2-packages/src/index.js'

/**
 * What a model could have run by hermes itself, or loosen it with, where it lies in a directory that is worked in:
 * found anew for each run, since it depends on the settings of git.
 *
 * @param directories root and `--allow` directories, canonical
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
    // By themselves too, where their directory is an allowed one.
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
 * What of repositories below a directory is closed like that of its own: bare ones, and what the configuration of a
 * work tree names inside of it. Their `.git` is closed by its name.
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

/** Where hermes is installed, and node. */
function ownPrograms(): string[] {
  programs ??= [...installed(), process.execPath]
  return programs
}

/**
 * The package of hermes wherever it lies. Of a clone, in which hermes itself is worked on, only what was built is what
 * runs: its sources stay open.
 */
function installed(): string[] {
  const place = ownPackage()
  if (place === undefined) return []
  const built = join(place, 'dist')
  return existsSync(join(place, 'proj')) ? [built] : [place, built]
}
