import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from './is-inside.js'

/** Directories of system packages, trusted whatever PATH and the root are. */
export const SYSTEM_BIN: ReadonlySet<string> = new Set([
  '/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin',
])
/** A PATH in which nothing is found; an empty one would mean the working directory. */
const NOWHERE = process.platform === 'win32' ? String.raw`\\.\NUL` : '/dev/null'
/**
 * Directories of a project's package commands, which runs in the project can write; hermes needs no program from there.
 */
const OF_PACKAGES = /[\\/]node_modules[\\/]\.bin[\\/]?$/
/** A run keeps its journal here, so a directory that has one was the root of a run. */
const JOURNAL = join('.hermes', 'journal')
/** Files that mark the top of a project; a subdirectory may be the root of a run. */
const OF_A_PROJECT = ['.git', 'package.json', 'pyproject.toml']

/** Directories that models write to: programs in them are not started outside a sandbox. */
const distrusted = new Set<string>()
let known = { path: '', trusted: '', count: 0 }

/**
 * Stops taking programs for hermes' own use (git, container clients) from these directories, for the life of the
 * process: `npx` puts the root's `node_modules/.bin` first in PATH, where a block or command can put a `git`.
 *
 * @param directories absolute
 */
export function distrust(directories: readonly string[]): void {
  for (const directory of directories) {
    distrusted.add(directory)
    distrusted.add(real(directory))
  }
}

/**
 * As `distrust`, for the whole project of a directory, before the root of a command is known. A directory that just
 * contains the home is no project.
 */
export function distrustProject(directory: string): void {
  const home = real(homedir())
  const first = real(directory)
  for (let here = first; !isInside(here, home); here = dirname(here)) {
    if (here === first || OF_A_PROJECT.some(name => isThere(join(here, name)))) distrust([here])
    if (dirname(here) === here) return
  }
}

/** The directories of a PATH from which hermes starts programs: absolute ones that no model writes to. */
export function trustedPath(path: string): string {
  if (known.path === path && known.count === distrusted.size) return known.trusted
  const kept = path.split(delimiter).filter(directory => passedOver(directory) === undefined)
  const trusted = kept.length === 0 ? NOWHERE : kept.join(delimiter)
  known = { path, trusted, count: distrusted.size }
  return trusted
}

/** Why a directory of PATH is not trusted; `undefined` if it is. */
export function passedOver(directory: string): string | undefined {
  if (!isAbsolute(directory)) return 'it is not absolute'
  if (SYSTEM_BIN.has(directory)) return undefined
  // Check both its own name, which could be redirected by a link, and its target.
  const names = [directory, real(directory)]
  if (names.some(name => OF_PACKAGES.test(name))) return 'it holds programs of a project\'s packages'
  if (names.some(name => [...distrusted].some(base => isInside(base, name)))) return 'it is where runs may write'
  return names.some(name => isInRoot(name)) ? 'it is in a directory where hermes has run' : undefined
}

/**
 * Whether a run may write in a directory, or may have done so before.
 *
 * @param closed a directory, such as hermes' own, that is closed to all runs except those working in it
 */
export function isInReachOfRuns(directory: string, closed: string): boolean {
  const own = real(closed)
  if (![directory, real(directory)].every(name => isInside(own, name))) return passedOver(directory) !== undefined
  return [...distrusted].some(base => isInside(own, base)) || isInRoot(real(directory), own)
}

/** @param top is not checked itself */
function isInRoot(directory: string, top?: string): boolean {
  for (let here = directory; here !== top; here = dirname(here)) {
    if (isThere(join(here, JOURNAL))) return true
    if (dirname(here) === here) return false
  }
  return false
}

function isThere(path: string): boolean {
  return orNothing(() => statSync(path, { throwIfNoEntry: false }) !== undefined, false)
}

function real(path: string): string {
  return orNothing(() => realpathSync.native(path), path)
}
