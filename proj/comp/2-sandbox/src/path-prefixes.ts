import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { isNodeError } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { realPath } from './home.js'

/** More links in one directory are those of a package manager, which point into itself. */
const MOST_LINKS = 2000
/**
 * Directories that hold both programs and secrets, by the end of their path: what of them is shown instead of all.
 * Cargo keeps its registry's token beside `bin`; the rest are directories in which everything is kept.
 */
const PARTLY_SHOWN: readonly (readonly [end: RegExp, shown: readonly string[]])[] = [
  [/\/\.cargo$/, ['bin', 'registry', 'git', 'env']],
  [/\/\.local$/, ['bin', 'lib', 'libexec']],
  [/\/(?:\.config|\.cache|\.local\/share|\.local\/state)$/, []],
]
/** Further directories that the programs in one need: rustup's proxies in `~/.cargo/bin` start the toolchains. */
const COMPANIONS: readonly (readonly [end: RegExp, companions: readonly string[]])[] = [
  [/\/\.cargo\/bin$/, ['../../.rustup/toolchains', '../../.rustup/settings.toml']],
  [/\/\.nvm\/versions\/node\/[^/]+\/bin$/, ['../../../../nvm.sh', '../../../../alias']],
]

/**
 * The directories and files behind the entries of PATH that programs there need to work, canonical and in no order:
 * `/opt/tool` for `/opt/tool/bin`, `~/.pyenv` for `~/.pyenv/shims`, and where links in them lead. Never the home itself
 * or a directory that holds it.
 *
 * @param covered directories that are visible anyway
 * @param programs further programs, by path
 */
export function pathPrefixes(
  path: string, home: string, covered: readonly string[], programs: readonly string[],
): string[] {
  const found = new Set<string>()
  const visited = new Set<string>()
  const homes = [home, realPath(home) ?? home]
  const isShown = (real: string) => [...covered, ...found].some(base => isInside(base, real))

  function add(real: string): void {
    if (!isShown(real)) found.add(real)
  }

  function visitDirectory(directory: string): void {
    const real = realPath(directory)
    if (real === undefined || visited.has(real) || homes.some(one => isInside(real, one))) return
    visited.add(real)
    for (const shown of prefixesOf(real, homes)) add(shown)
    for (const name of companionsOf(real)) if (existsSync(name)) add(realPath(name) ?? name)
    // The system's own directories belong to its packages.
    if (!isInside('/usr/bin', real) && !isInside('/usr/sbin', real)) linksIn(real).forEach(visitProgram)
  }

  /** A program elsewhere: with the directories its links lead through. */
  function visitProgram(program: string): void {
    const real = realPath(program)
    if (real === undefined || isShown(real)) return
    const directory = dirname(real)
    if (homes.some(one => isInside(directory, one))) add(real)
    else visitDirectory(directory)
  }

  path.split(':').filter(one => isAbsolute(one)).forEach(visitDirectory)
  programs.forEach(visitProgram)
  return [...found].filter(one => ![...found].some(other => other !== one && isInside(other, one)))
}

/** What to show for a directory of programs. */
function prefixesOf(directory: string, homes: readonly string[]): string[] {
  const parent = dirname(directory)
  const isOfPrefix = ['bin', 'sbin', 'shims', '.bin', 'condabin'].includes(basename(directory))
  if (!isOfPrefix || parent === '/' || homes.some(home => isInside(parent, home))) return [directory]
  const partly = PARTLY_SHOWN.find(([end]) => end.test(parent))?.[1]
  if (partly === undefined) return [parent]
  return [directory, ...partly.map(name => join(parent, name)).filter(existsSync)].map(one => realPath(one) ?? one)
}

function companionsOf(directory: string): string[] {
  return COMPANIONS.filter(([end]) => end.test(directory))
    .flatMap(([, names]) => names.map(name => join(directory, name)))
}

function linksIn(directory: string): string[] {
  try {
    const links = readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
    return links.length > MOST_LINKS ? [] : links.map(({ name }) => join(directory, name))
  } catch (error) {
    if (isNodeError(error)) return []
    throw error
  }
}
