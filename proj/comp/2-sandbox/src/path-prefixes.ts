import { existsSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { isProgramFile, realPath } from './home.js'
import { besideBin, isProgramDirectory, neededOf, versionDirectory } from './toolchains.js'

/** More links in one directory are those of a package manager, which point into itself. */
const MOST_LINKS = 2000
/** Most programs that are shown one by one. */
const MOST_PROGRAMS = 200
/** How far above a program its package may begin. */
const PACKAGE_DEPTH = 4

/**
 * The directories and files behind the entries of PATH that programs there need to work, canonical and in no order:
 * the directory with the programs, where links in it lead, and of what lies around it only the parts that are known to
 * be a toolchain's (`toolchains.ts`). Never a whole parent, which may hold keys beside its `bin`, and never the home or
 * a directory that holds it.
 *
 * @param covered directories that are visible anyway
 * @param programs further programs, by path
 */
export function pathPrefixes(
  path: string, home: string, covered: readonly string[], programs: readonly string[],
): string[] {
  const prefixes = new Set<string>()
  const visited = new Set<string>()
  const homes = [home, realPath(home) ?? home]
  const isOfHome = (real: string) => homes.some(place => place !== '/' && isInside(place, real))
  const holdsHome = (real: string) => homes.some(place => isInside(real, place))
  const isShown = (real: string) => [...covered, ...prefixes].some(base => isInside(base, real))

  function add(shown: string): void {
    const real = realPath(shown)
    if (real !== undefined && !holdsHome(real) && !isShown(real)) prefixes.add(real)
  }

  function visitDirectory(directory: string): void {
    const real = realPath(directory)
    if (real === undefined || visited.has(real) || holdsHome(real)) return
    visited.add(real)
    const parent = dirname(real)
    const version = versionDirectory(real)
    if (version !== undefined) {
      add(version)
      neededOf(version).forEach(add)
    } else if (isProgramDirectory(real)) {
      add(real)
      if (parent !== '/' && !holdsHome(parent)) {
        neededOf(parent).forEach(add)
        if (!isOfHome(parent)) besideBin(parent).forEach(add)
      }
    } else if (isPackageOfSystem(real)) add(real)
    else {
      programsIn(real).forEach(add)
      neededOf(real).forEach(add)
    }
    // The system's own directories belong to its packages.
    if (!isInside('/usr/bin', real) && !isInside('/usr/sbin', real)) linksIn(real).forEach(visitProgram)
  }

  /** A program elsewhere: with the directories its links lead through. */
  function visitProgram(program: string): void {
    const real = realPath(program)
    if (real === undefined || isShown(real)) return
    const directory = dirname(real)
    if (isProgramDirectory(directory) || versionDirectory(real) !== undefined) visitDirectory(directory)
    else add(packageOf(real, holdsHome) ?? (isPackageOfSystem(directory) ? directory : real))
    add(real)
  }

  path.split(':').filter(entry => isAbsolute(entry)).forEach(visitDirectory)
  programs.forEach(visitProgram)
  return [...prefixes].filter(prefix => ![...prefixes].some(other => other !== prefix && isInside(other, prefix)))
}

/** A package below `/opt` or `/usr`: an administrator's, and no user's. */
function isPackageOfSystem(directory: string): boolean {
  return ['/usr', '/opt'].some(base => directory !== base && isInside(base, directory))
}

/** The directory of the package of JavaScript that a script belongs to. */
function packageOf(script: string, holdsHome: (path: string) => boolean): string | undefined {
  let directory = dirname(script)
  for (let depth = 0; depth < PACKAGE_DEPTH && !holdsHome(directory); depth++) {
    if (existsSync(join(directory, 'package.json'))) return directory
    directory = dirname(directory)
  }
  return undefined
}

function programsIn(directory: string): string[] {
  const paths = orNothing(() => readdirSync(directory), []).map(name => join(directory, name))
  return paths.filter(isProgramFile).slice(0, MOST_PROGRAMS)
}

function linksIn(directory: string): string[] {
  const links = orNothing(() => readdirSync(directory, { withFileTypes: true }), []).filter(one => one.isSymbolicLink())
  return links.length > MOST_LINKS ? [] : links.map(({ name }) => join(directory, name))
}
