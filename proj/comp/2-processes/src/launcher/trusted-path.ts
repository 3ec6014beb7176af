import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from './is-inside.js'

/** Of the system's packages, whatever the root is. */
const SYSTEM = new Set(['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'])

/** Directories in which models write: what they hold is not started outside of a sandbox. */
const distrusted = new Set<string>()
let known = { path: '', trusted: '', count: 0 }

/**
 * Takes no program of hermes' own (git, a client of containers) from these directories any more, for as long as the
 * process lives: `npx` puts the root's `node_modules/.bin` first in PATH, where a block or a command can put a `git`.
 *
 * @param directories canonical
 */
export function distrust(directories: readonly string[]): void {
  for (const directory of directories) distrusted.add(directory)
}

/** The directories of a PATH from which hermes itself starts programs: absolute ones in which no model writes. */
export function trustedPath(path: string): string {
  if (known.path === path && known.count === distrusted.size) return known.trusted
  const trusted = path.split(delimiter).filter(isTrusted).join(delimiter)
  known = { path, trusted, count: distrusted.size }
  return trusted
}

/** An environment for programs that run outside of every sandbox: with the trusted part of its PATH. */
export function trustedEnvironment<Value extends string | undefined>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => (
    // Windows has names without regard to case.
    [name, typeof value === 'string' && name.toUpperCase() === 'PATH' ? trustedPath(value) : value]
  )))
}

function isTrusted(directory: string): boolean {
  if (!isAbsolute(directory)) return false
  if (SYSTEM.has(directory)) return true
  // By its own name, which could be made to lead elsewhere, and by where it leads.
  const real = orNothing(() => realpathSync.native(directory), directory)
  return ![...distrusted].some(base => isInside(base, directory) || isInside(base, real))
}
