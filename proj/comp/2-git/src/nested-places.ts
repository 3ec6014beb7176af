import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'

/** What below a directory decides what git and hermes run there, links not followed. All absolute. */
export interface NestedPlaces {
  /** Directories with a `.git` of their own; an empty `.git` is nothing to git. */
  workTrees: readonly string[]
  /** Directories that git takes for a repository, wherever they are and whatever their name: bare ones. */
  bare: readonly string[]
  /** `.hermes` and `hermes.yaml` with something in them. */
  ofHermes: readonly string[]
  /** There are more directories than are looked at: in the deepest there may be more of all this. */
  isCut: boolean
}

/** Some 1,000,000 files of usual trees. */
export const MOST_DIRECTORIES = 100_000
/** Time stamps of file systems are some milliseconds coarse: a directory changed so lately may change unseen. */
const SETTLED_MS = 100

interface Listed {
  ctimeMs: number
  ino: number
  directories: readonly string[]
  names: readonly string[]
}

/** What directories held when they were last listed; a directory whose change time stands still holds the same. */
const known = new Map<string, Listed>()

/** Names that are looked for besides directories. */
const MARKS = new Set(['.git', 'HEAD', '.hermes', 'hermes.yaml'])

/**
 * Looks at each directory below one, the nearest first; of `node_modules` at the packages, not into them. What was
 * listed before costs one call.
 */
export function nestedPlaces(directory: string, mostDirectories = MOST_DIRECTORIES): NestedPlaces {
  const workTrees: string[] = []
  const bare: string[] = []
  const ofHermes: string[] = []
  const queue = [directory]
  for (let at = 0; at < queue.length && at < mostDirectories; at++) {
    const here = queue[at]!
    const { directories, names } = list(here)
    const isNested = at > 0
    if (isNested && isBare(here, directories, names)) {
      bare.push(here)
      continue
    }
    if (isNested && names.includes('.git') && hasContent(join(here, '.git'))) workTrees.push(here)
    if (isNested) {
      for (const name of ['.hermes', 'hermes.yaml']) {
        if (names.includes(name) && hasContent(join(here, name))) ofHermes.push(join(here, name))
      }
    }
    if (isPackage(here)) continue
    for (const name of directories) if (name !== '.git' && name !== '.hermes') queue.push(join(here, name))
  }
  return { workTrees, bare, ofHermes, isCut: queue.length > mostDirectories }
}

/** Most directories of a project are inside of these. */
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

/** As git judges a directory: it has `HEAD`, `objects` and `refs`; `commondir` stands for the latter two. */
function isBare(path: string, directories: readonly string[], names: readonly string[]): boolean {
  if (!names.includes('HEAD')) return false
  const has = (name: string): boolean => directories.includes(name) || isThere(join(path, name))
  return (has('objects') && has('refs')) || orNothing(() => lstatSync(join(path, 'commondir')).isFile(), false)
}

/** Links count: git follows them. */
function hasContent(path: string): boolean {
  return orNothing(() => {
    const stat = lstatSync(path)
    return stat.isDirectory() ? readdirSync(path).length > 0 : stat.isSymbolicLink() || stat.size > 0
  }, false)
}
