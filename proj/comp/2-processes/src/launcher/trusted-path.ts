import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from './is-inside.js'

/** Where the programs of the system's packages lie, whatever PATH and the root are. */
export const SYSTEM_BIN: ReadonlySet<string> = new Set([
  '/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin',
])
/** A PATH in which nothing is found; an empty one would be the working directory. */
const NOWHERE = process.platform === 'win32' ? String.raw`\\.\NUL` : '/dev/null'
/** Programs of a project's packages: none of them is one that hermes starts, and a run in that project writes them. */
const OF_PACKAGES = /[\\/]node_modules[\\/]\.bin[\\/]?$/
/** Where a run keeps its journal: whatever has one was the root of a run. */
const JOURNAL = join('.hermes', 'journal')
/** What shows that a directory is the top of a project, of which a subdirectory may be the root of a run. */
const OF_A_PROJECT = ['.git', 'package.json', 'pyproject.toml']

/** Directories in which models write: what they hold is not started outside of a sandbox. */
const distrusted = new Set<string>()
let known = { path: '', trusted: '', count: 0 }

/**
 * Takes no program of hermes' own (git, a client of containers) from these directories any more, for as long as the
 * process lives: `npx` puts the root's `node_modules/.bin` first in PATH, where a block or a command can put a `git`.
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
 * The same for all of the project that a directory belongs to, before it is known which root a command has. A
 * directory that merely holds the home is none.
 */
export function distrustProject(directory: string): void {
  const home = real(homedir())
  const first = real(directory)
  for (let here = first; !isInside(here, home); here = dirname(here)) {
    if (here === first || OF_A_PROJECT.some(name => isThere(join(here, name)))) distrust([here])
    if (dirname(here) === here) return
  }
}

/** The directories of a PATH from which hermes itself starts programs: absolute ones in which no model writes. */
export function trustedPath(path: string): string {
  if (known.path === path && known.count === distrusted.size) return known.trusted
  const kept = path.split(delimiter).filter(directory => passedOver(directory) === undefined)
  const trusted = kept.length === 0 ? NOWHERE : kept.join(delimiter)
  known = { path, trusted, count: distrusted.size }
  return trusted
}

/** Why no program of hermes' own is taken from a directory of PATH; `undefined` for one that counts. */
export function passedOver(directory: string): string | undefined {
  if (!isAbsolute(directory)) return 'it is not absolute'
  if (SYSTEM_BIN.has(directory)) return undefined
  // By its own name, which could be made to lead elsewhere, and by where it leads.
  const names = [directory, real(directory)]
  if (names.some(name => OF_PACKAGES.test(name))) return 'it holds programs of a project\'s packages'
  if (names.some(name => [...distrusted].some(base => isInside(base, name)))) return 'it is where runs may write'
  return names.some(name => isInRoot(name)) ? 'it is in a directory where hermes has run' : undefined
}

/**
 * Whether a run may write in a directory, or may have before.
 *
 * @param closed a directory that is closed to all runs but those that work in it: hermes' own
 */
export function isInReachOfRuns(directory: string, closed: string): boolean {
  const own = real(closed)
  if (![directory, real(directory)].every(name => isInside(own, name))) return passedOver(directory) !== undefined
  return [...distrusted].some(base => isInside(own, base)) || isInRoot(real(directory), own)
}

/** @param top is none itself */
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
