import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'

/** Places below a directory that decide what git and hermes run there, without following links. All absolute. */
export interface NestedPlaces {
  /** Directories with a `.git` of their own that is not empty. */
  workTrees: readonly string[]
  /** Bare repositories: directories that git recognises by their content, under any name. */
  bare: readonly string[]
  /** Non-empty `.hermes` and `hermes.yaml`. */
  ofHermes: readonly string[]
  /** The search was cut off: deeper directories may have more. */
  isCut: boolean
}

/** Corresponds to about 1,000,000 files of a usual tree. */
export const MOST_DIRECTORIES = 100_000
/**
 * Time stamps are some milliseconds coarse: a directory changed this recently may change again unnoticed, in
 * milliseconds.
 */
const SETTLED_MS = 100

interface Listed {
  ctimeMs: number
  ino: number
  directories: readonly string[]
  names: readonly string[]
}

/** Cache of listed directories; valid while the change time of a directory stays the same. */
const known = new Map<string, Listed>()

/** Names to look for, besides directories. */
const MARKS = new Set(['.git', 'HEAD', '.hermes', 'hermes.yaml'])

/**
 * Searches all directories below one, nearest first; in `node_modules` the packages but not their insides. A directory
 * listed before costs one system call.
 */
export function nestedPlaces(directory: string, mostDirectories = MOST_DIRECTORIES): NestedPlaces {
  const workTrees: string[] = []
  const bare: string[] = []
  const ofHermes: string[] = []
  const queue = [directory]
  for (let at = 0; at < queue.length && at < mostDirectories; at++) {
    const here = queue[at]!
    const { directories, names } = list(here)
    if (at > 0) {
      if (isBare(here, directories, names)) {
        bare.push(here)
        continue
      }
      if (names.includes('.git') && hasContent(join(here, '.git'))) workTrees.push(here)
      for (const name of ['.hermes', 'hermes.yaml']) {
        if (names.includes(name) && hasContent(join(here, name))) ofHermes.push(join(here, name))
      }
    }
    if (isPackage(here)) continue
    for (const name of directories) if (name !== '.git' && name !== '.hermes') queue.push(join(here, name))
  }
  return { workTrees, bare, ofHermes, isCut: queue.length > mostDirectories }
}

/** Most directories of a project are inside packages. */
function isPackage(path: string): boolean {
  return /[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^@.\\/][^\\/]*$/.test(path)
}

/**
 * The repositories that a path may belong to.
 *
 * @param path below `directory`
 */
export function repositoriesAround(directory: string, path: string): Pick<NestedPlaces, 'workTrees' | 'bare'> {
  const above: string[] = []
  for (let here = path; here !== directory && here !== dirname(here); here = dirname(here)) above.push(here)
  return {
    workTrees: above.filter(here => hasContent(join(here, '.git'))),
    bare: above.filter(here => isThere(join(here, 'HEAD')) && isBare(here, [], ['HEAD'])),
  }
}

function isThere(path: string): boolean {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false)
}

function list(directory: string): Listed {
  const stat = orNothing(() => lstatSync(directory), undefined)
  if (stat === undefined) return NOTHING
  const earlier = known.get(directory)
  if (earlier?.ctimeMs === stat.ctimeMs && earlier.ino === stat.ino) return earlier
  const entries: Dirent[] = orNothing(() => readdirSync(directory, { withFileTypes: true }), [])
  const listed: Listed = {
    ctimeMs: stat.ctimeMs, ino: stat.ino,
    directories: entries.filter(entry => entry.isDirectory()).map(({ name }) => name),
    names: entries.filter(({ name }) => MARKS.has(name)).map(({ name }) => name),
  }
  if (Date.now() - stat.ctimeMs < SETTLED_MS) known.delete(directory)
  else {
    if (known.size > 2 * MOST_DIRECTORIES) known.clear()
    known.set(directory, listed)
  }
  return listed
}

const NOTHING: Listed = { ctimeMs: 0, ino: 0, directories: [], names: [] }

/** Git's test for a repository: it has `HEAD`, `objects` and `refs`; `commondir` replaces the latter two. */
function isBare(path: string, directories: readonly string[], names: readonly string[]): boolean {
  if (!names.includes('HEAD')) return false
  const has = (name: string): boolean => directories.includes(name) || isThere(join(path, name))
  return (has('objects') && has('refs')) || orNothing(() => lstatSync(join(path, 'commondir')).isFile(), false)
}

/** Whether a file or directory is not empty; links count, since git follows them. */
function hasContent(path: string): boolean {
  return orNothing(() => {
    const stat = lstatSync(path)
    return stat.isDirectory() ? readdirSync(path).length > 0 : stat.isSymbolicLink() || stat.size > 0
  }, false)
}
