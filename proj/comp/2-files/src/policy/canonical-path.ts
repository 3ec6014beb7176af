import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { orNothing, type PathProbe } from '../../../0-contracts/src/index.js'
import { diskPath, readLink, realPath } from '../disk-path.js'

/** Most links to follow, as in Linux. */
const MAX_LINKS = 40

/**
 * The path without links, `.` and `..` that leads to the same place; missing parts stay as written. `..` is resolved as
 * the system does, after links; in the missing part it removes one name.
 *
 * @param path absolute
 * @param followLast false keeps a link in the last component
 * @param probe to use in place of the disk
 * @throws Node's errors with `path` set to the component that failed: `ENOTDIR` below a file, `ELOOP`, `EACCES`, …
 */
export function canonicalPath(path: string, followLast: boolean, probe?: PathProbe): string {
  const quick = probe === undefined ? resolveByParent(path, followLast) : undefined
  return quick ?? walk(path, followLast, probe ?? probeDisk)
}

/** A directory without links in its path, as the system has it; one that is not there yet counts as it is written. */
export function canonicalDirectory(directory: string): string {
  return orNothing(() => realpathSync.native(directory), resolve(directory))
}

/** The path with links resolved as far as it exists; missing parts stay as written. */
export function canonicalOf(path: string): string {
  const real = orNothing(() => realpathSync.native(path), undefined)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(canonicalOf(dirname(path)), basename(path))
}

/** Two calls for most paths. `undefined` where they cannot tell: then the walk finds out, or says what is wrong. */
function resolveByParent(path: string, followLast: boolean): string | undefined {
  const cut = path.lastIndexOf(sep)
  const name = path.slice(cut + 1)
  if (name === '' || name === '.' || name === '..' || (sep === '\\' && path.includes('/'))) return undefined
  return orNothing(() => {
    const here = child(realPath(path.slice(0, Math.max(cut, parse(path).root.length))), name)
    const isLink = lstatSync(diskPath(here), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink && followLast ? realPath(here) : here
  }, undefined)
}

function walk(path: string, followLast: boolean, probe: PathProbe): string {
  const { root } = parse(path)
  const rest = splitNames(path.slice(root.length))
  // A trailing separator would make the last name one to follow.
  if (!followLast) rest.splice(0, Math.max(0, rest.findIndex((name) => name !== '')))
  let here = root
  let links = 0
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      here = dirname(here)
      continue
    }
    const next = child(here, name)
    const entry = probe(next, rest)
    const isLast = rest.length === 0
    if (entry?.target !== undefined && (followLast || !isLast)) {
      if (++links > MAX_LINKS) throw pathError('ELOOP', 'too many symbolic links encountered', next)
      if (isAbsolute(entry.target)) here = parse(entry.target).root
      rest.push(...splitNames(entry.target))
      continue
    }
    if (entry !== undefined && entry.kind !== 'directory' && !isLast) {
      throw pathError('ENOTDIR', 'not a directory', next)
    }
    here = next
  }
  return here
}

/**
 * Names of the path, last first. A trailing separator yields an empty name, so that the name before it is followed, as
 * the system does.
 */
function splitNames(path: string): string[] {
  return path.slice(isAbsolute(path) ? parse(path).root.length : 0).split(sep === '\\' ? /[\\/]/ : sep).reverse()
}

function child(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name
}

export function probeDisk(path: string): ReturnType<PathProbe> {
  const stat = lstatSync(diskPath(path), { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (stat.isSymbolicLink()) return { kind: 'link', target: readLink(path) }
  return { kind: stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other' }
}

function pathError(code: string, text: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, lstat '${path}'`), { code, syscall: 'lstat', path })
}
