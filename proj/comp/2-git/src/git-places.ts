import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'

/** What decides which programs git runs, as far as it can be found without running git. All absolute. */
export interface GitPlaces {
  /** Git's own directories of the work tree, canonical: its own, and the one it shares with others. */
  repositories: readonly string[]
  /** Configuration files, of the user too, with those that they include; also those that are not there. */
  configurations: readonly string[]
  /** Directories of hooks that they name (`core.hooksPath`); also those that are not there. */
  hooks: readonly string[]
}

const NONE: GitPlaces = { repositories: [], configurations: [], hooks: [] }
/** As git itself. */
const MOST_INCLUDES = 10
const MOST_BYTES = 1024 * 1024

/**
 * Where git takes its settings and programs from when it is run in a directory. A model that can write one of these
 * places has git run what it likes. Conditional includes count as if they held.
 */
export function gitPlaces(directory: string): GitPlaces {
  const top = topOf(directory)
  const own = top === undefined ? undefined : gitDirectoryOf(top)
  return top === undefined || own === undefined ? NONE : placesOf(top, own, userConfigurations())
}

/** The same for a work tree of its own below another directory, without what the user has set up for all. */
export function workTreePlaces(top: string): GitPlaces {
  const own = gitDirectoryOf(top)
  return own === undefined ? NONE : placesOf(top, own)
}

/** The same for a directory that is a repository itself. */
export function barePlaces(directory: string): GitPlaces {
  return placesOf(directory, real(directory))
}

function placesOf(top: string, own: string, further: readonly string[] = []): GitPlaces {
  const common = commonDirectoryOf(own)
  const configurations = new Set<string>()
  const hooks = new Set<string>()
  const read = (file: string, depth: number): void => {
    if (configurations.has(file) || depth > MOST_INCLUDES) return
    configurations.add(file)
    for (const { key, value } of pathsIn(textOf(file))) {
      if (key === 'path') read(expanded(value, dirname(file)), depth + 1)
      else hooks.add(expanded(value, top))
    }
  }
  for (const file of [join(common, 'config'), join(own, 'config.worktree'), ...further]) read(file, 0)
  return { repositories: [...new Set([own, common])], configurations: [...configurations], hooks: [...hooks] }
}

/** The nearest directory upwards with something of git in it; an empty `.git` is nothing to git. */
export function topOf(directory: string): string | undefined {
  for (let here = directory; ; here = dirname(here)) {
    const git = join(here, '.git')
    const isThere = orNothing(() => statSync(git).isFile() || readdirSync(git).length > 0, false)
    if (isThere) return here
    if (dirname(here) === here) return undefined
  }
}

/** The directory that a work tree's own shares with others, canonical; that itself where it shares none. */
export function commonDirectoryOf(own: string): string {
  const shared = firstLine(join(own, 'commondir'))
  return shared === '' ? own : real(resolve(own, shared))
}

/** Git's own directory of a work tree, canonical. */
export function gitDirectoryOf(top: string): string | undefined {
  const git = join(top, '.git')
  if (orNothing(() => statSync(git).isDirectory(), false)) return real(git)
  const named = /^gitdir: (.+)$/.exec(firstLine(git))?.[1]
  return named === undefined ? undefined : real(resolve(top, named))
}

function userConfigurations(): string[] {
  const { GIT_CONFIG_GLOBAL: named, XDG_CONFIG_HOME: settings = join(homedir(), '.config') } = process.env
  return named === undefined ? [join(homedir(), '.gitconfig'), join(settings, 'git', 'config')] : [resolve(named)]
}

/** Values of `core.hooksPath`, and of `path` wherever there are includes. */
function pathsIn(text: string): { key: string; value: string }[] {
  const written = text.matchAll(/^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(hooksPath|path)[ \t]*=[ \t]*"?([^"\n#;]+)/gim)
  return [...written].map(([, key = '', value = '']) => ({ key: key.toLowerCase(), value: value.trim() }))
    .filter(({ key, value }) => value !== '' && (key !== 'path' || /\[\s*include/i.test(text)))
}

function expanded(written: string, base: string): string {
  return written.startsWith('~/') ? join(homedir(), written.slice(2)) : resolve(base, written)
}

/** `''` where there is none. */
export function firstLine(file: string): string {
  return textOf(file).split('\n', 1)[0] ?? ''
}

/** `''` for what is no file, or a large one. */
export function textOf(file: string): string {
  return orNothing(() => {
    const stat = statSync(file)
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, 'utf8') : ''
  }, '')
}

export function real(path: string): string {
  return orNothing(() => realpathSync.native(path), path)
}
