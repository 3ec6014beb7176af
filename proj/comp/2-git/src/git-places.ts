import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { upwards } from '../../2-files/src/index.js'

/** Everything that decides which programs git runs, as far as known without running git. All paths absolute. */
export interface GitPlaces {
  /** Git directories of the work tree, with links resolved: its own, and the one shared with other work trees. */
  repositories: readonly string[]
  /** Configuration files, the user's and included ones too, whether they exist or not. */
  configurations: readonly string[]
  /** Directories of hooks (`core.hooksPath`), whether they exist or not. */
  hooks: readonly string[]
}

const NONE: GitPlaces = { repositories: [], configurations: [], hooks: [] }
/** Deepest nesting of includes, as in git. */
const MOST_INCLUDES = 10
const MOST_BYTES = 1024 * 1024

/**
 * The places where git finds its settings and programs when run in a directory. A model that can write to one of them
 * can make git run anything. Conditional includes count as if they applied.
 */
export function gitPlaces(directory: string): GitPlaces {
  const top = topOf(directory)
  const own = top === undefined ? undefined : gitDirectoryOf(top)
  return top === undefined || own === undefined ? NONE : placesOf(top, own, userConfigurations())
}

/** As `gitPlaces`, for a work tree inside another directory, without the user's configuration. */
export function workTreePlaces(top: string): GitPlaces {
  const own = gitDirectoryOf(top)
  return own === undefined ? NONE : placesOf(top, own)
}

/** As `workTreePlaces`, for a directory that is a repository itself (bare). */
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

/** The nearest directory upwards with a `.git` that is not empty; git ignores an empty one. */
export function topOf(directory: string): string | undefined {
  return upwards(directory).find(here => {
    const git = join(here, '.git')
    return orNothing(() => statSync(git).isFile() || readdirSync(git).length > 0, false)
  })
}

/** The git directory shared by all work trees, with links resolved; `own` where nothing is shared. */
export function commonDirectoryOf(own: string): string {
  const shared = firstLine(join(own, 'commondir'))
  return shared === '' ? own : real(resolve(own, shared))
}

/** The git directory of a work tree, with links resolved. */
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

/** Values of `core.hooksPath`, and of all `path` settings, which may be includes. */
function pathsIn(text: string): { key: string; value: string }[] {
  const written = text.matchAll(/^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(hooksPath|path)[ \t]*=[ \t]*"?([^"\n#;]+)/gim)
  return [...written].map(([, key = '', value = '']) => ({ key: key.toLowerCase(), value: value.trim() }))
    .filter(({ key, value }) => value !== '' && (key !== 'path' || /\[\s*include/i.test(text)))
}

function expanded(written: string, base: string): string {
  return written.startsWith('~/') ? join(homedir(), written.slice(2)) : resolve(base, written)
}

/** `''` where there is no file. */
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
