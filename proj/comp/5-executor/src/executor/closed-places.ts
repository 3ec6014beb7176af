import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hermesHome, hermesSecrets } from '../../../2-config/src/index.js'
import { orNothing, type HermesOptions } from '../../../0-contracts/src/index.js'
import { barePlaces, gitPlaces, repositoriesAround, workTreePlaces } from '../../../2-git/src/index.js'
import { isInside, type ClosedPlace } from '../../../2-files/src/index.js'
import { ownPackage } from '../../../2-packages/src/index.js'

const GIT_FILES = "git's own files"
const RUN_BY_GIT = 'git runs programs by it'

/**
 * Paths inside the working directories that a model must not change, since hermes runs them or reads its limits from
 * them. Computed anew for each run, since they depend on git's settings.
 *
 * @param directories root and `--allow` directories, absolute with links resolved
 */
export function closedPlaces(directories: readonly string[], policy: HermesOptions['policy']): ClosedPlace[] {
  const git = directories.map(gitPlaces)
  const places = [
    ...closed('all', GIT_FILES, git.flatMap(({ repositories }) => repositories)),
    ...closed('changes', RUN_BY_GIT, git.flatMap(({ configurations, hooks }) => [...configurations, ...hooks])),
    ...closed('all', "hermes' policy file", typeof policy === 'string' ? [resolve(policy)] : []),
    // Listed by themselves too, in case their directory is an allowed one.
    ...closed('all', "hermes' settings and keys", [hermesHome(), ...hermesSecrets()]),
    ...closed('changes', 'hermes itself', programs ??= [...installed(), process.execPath]),
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
    ...closed('changes', GIT_FILES, bare),
    ...closed('changes', RUN_BY_GIT, [...workTrees.map(workTreePlaces), ...bare.map(barePlaces)]
      .flatMap(({ repositories, configurations, hooks }) => [...repositories, ...configurations, ...hooks])),
  ].filter(place => place.path !== directory && isInside(directory, place.path))
}

function closed(denies: ClosedPlace['denies'], reason: string, paths: readonly string[]): ClosedPlace[] {
  return paths.map(path => ({ path, denies, reason }))
}

/** Paths of the installed hermes and of Node. */
let programs: string[] | undefined

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
