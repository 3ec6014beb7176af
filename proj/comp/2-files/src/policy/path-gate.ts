import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import {
  type ApprovedPath, HermesError, isNodeError, type PathAccess, type PathGate, type PathPolicy, type PathProbe,
} from '../../../0-contracts/src/index.js'
import { isOddName, nameOfShown, shownName } from '../../../0-text/src/index.js'
import { canonicalPath, probeDisk } from './canonical-path.js'
import { closedBy, denialOf } from './deny-patterns.js'
import { isInside } from '../../../2-processes/src/index.js'
import type { DenyPattern } from './protected-paths.js'
import { checkWritten, namesOf, onOneLine, type Prefix, toAbsolute } from './written-path.js'

interface PathGateOptions {
  /** Relative paths start here; resolved against the working directory once. */
  root: string
  /** Further directories that may be touched. Default: none. */
  allow?: readonly string[]
  /** Absolute prefixes that stand for the root in paths. Default: none. */
  aliases?: readonly string[]
  /** What to ask instead of the disk, for stores that keep changes in memory. */
  probe?: PathProbe
  /** The root is on another machine, canonical there: only `probe` can tell of it. Default false. */
  isElsewhere?: boolean
  /** What policy files add to `DENY_PATTERNS`. Default: nothing. */
  policy?: PathPolicy | undefined
  /** Places that are closed besides `DENY_PATTERNS`. Default: none. */
  closed?: readonly ClosedPlace[]
  /** Further ones that lie around a path, asked only for what is to be changed. */
  closedAround?: (path: string, base: string) => readonly ClosedPlace[]
  /** For what the user does himself, such as an undo: secrets, settings and policy files are no obstacle then. */
  forUser?: boolean
}

/** A place that verbs leave alone wherever it is, such as the repository that a `.git` file names. */
export interface ClosedPlace extends Pick<DenyPattern, 'denies' | 'reason'> {
  /** Canonical; with all that is below it. */
  path: string
}

interface RootedPathGate extends PathGate {
  /** Canonical. */
  readonly root: ApprovedPath
  /** Canonical, in the order given. */
  readonly allow: readonly ApprovedPath[]
}

/**
 * The gate every path of a model passes, and the only place an `ApprovedPath` comes from: inside the root or an
 * allowed directory once all links are followed, and on no deny pattern (contract section 3 'root', 'paths').
 *
 * @throws HermesError `INVALID_OPTION` where a directory is missing, no directory or always denied, or an alias is
 *   not absolute
 */
export function createPathGate(
  {
    root, allow = [], aliases = [], probe, isElsewhere = false, policy, closed = [], closedAround, forUser,
  }: PathGateOptions,
): RootedPathGate {
  const rootDir = isElsewhere ? root as ApprovedPath : canonicalDirectory('root', root)
  const allowDirs = allow.map((path) => canonicalDirectory('allow', path))
  // The innermost directory decides, so that allowing one below a denied place means what it says.
  const bases = [rootDir, ...allowDirs].sort((a, b) => b.length - a.length)
  const prefixes = aliases.length === 0 ? [] : [
    ...aliases.map((alias) => ({ names: aliasNames(alias), directory: rootDir })),
    ...[root, ...allow, ...bases].map(asItself),
  ]
  const outsideHint = `Use a path inside the root ${rootDir}` +
    (aliases.length > 0 ? ` (also written ${aliases.join(', ')})` : '') +
    (allowDirs.length > 0 ? ` or inside ${allowDirs.join(', ')}` : '') +
    '. Only the user can open another directory (--allow DIR) or let one stand for the root (--root-alias DIR).'

  function outside(path: string): HermesError {
    return new HermesError('POLICY_DENIED', `Path is outside the root: ${onOneLine(path)}`, { hint: outsideHint })
  }

  function resolveLinks(path: string, access: PathAccess): string {
    try {
      return canonicalPath(toAbsolute(path, rootDir, prefixes), FOLLOWS.has(access), probe)
    } catch (error) {
      if (!isNodeError(error)) throw error
      // Of what is outside, not even the kind of failure is told.
      if (!bases.some((base) => isInside(base, error.path ?? rootDir))) throw outside(path)
      if (error.code !== 'ELOOP') throw error
      throw new HermesError('ELOOP', `Links lead in a circle: ${onOneLine(path)}`, {
        hint: 'Use the path of a real file, or remove the link first.',
        cause: error,
      })
    }
  }

  /** The file that is shown by such a path, as `shownName` does, where none is really called so. */
  function shownOtherwise(path: string, access: PathAccess): string | undefined {
    if (sep !== '/' || !isOddName(nameOfShown(path)) || isOddName(path)) return undefined
    if (exists(resolveLinks(path, access))) return undefined
    const real = resolveLinks(nameOfShown(path), access)
    return exists(real) ? real : undefined
  }

  function exists(real: string): boolean {
    return (probe ?? probeDisk)(real) !== undefined
  }

  function isDirectory(real: string): boolean {
    return (probe ?? probeDisk)(real)?.kind === 'directory'
  }

  function approve(path: string, access: PathAccess): ApprovedPath {
    checkWritten(path)
    return approveReal(path, shownOtherwise(path, access) ?? resolveLinks(path, access), access)
  }

  function approveEntry(directory: ApprovedPath, name: string, access: 'read' | 'list'): ApprovedPath {
    const path = join(directory, name)
    return approveReal(path, path, access)
  }

  /** @param path as written; `real`, as the disk has it */
  function approveReal(path: string, real: string, access: PathAccess): ApprovedPath {
    // Names that are not UTF-8 are those of `nameOfBytes`: commands make such files, verbs only read them.
    if ((forUser || !CHANGES.has(access) ? /[\ud800-\udc7f\udd00-\udfff]/u : /[\ufffd\p{Surrogate}]/u).test(real)) {
      throw new HermesError('INVALID_PARAMETER', `Path is not valid UTF-8: ${onOneLine(shownName(path))}`, {
        hint: 'Only files with names in valid UTF-8 can be changed. A command can rename it.',
      })
    }
    const base = bases.find((candidate) => isInside(candidate, real))
    if (base === undefined) throw outside(path)
    const below = real.slice(base.length).replace(LEADING_SEPARATOR, '')
    const around = CHANGES.has(access) ? closedAround?.(real, base) ?? [] : []
    const denial = closedBy([...closed, ...around], real, access)
      ?? denialOf(real, below, access, { policy, forUser, isDirectory: () => isDirectory(real) })
    if (denial !== undefined) {
      const { reason, hint } = denial
      throw new HermesError('POLICY_DENIED', `Path is denied: ${onOneLine(path)} (${reason})`, { hint })
    }
    if (access === 'remove' && bases.some((candidate) => isInside(real, candidate))) {
      throw new HermesError('POLICY_DENIED', `The root or an allowed directory cannot be removed: ${onOneLine(path)}`, {
        hint: 'Remove what is inside it, one by one.',
      })
    }
    return real as ApprovedPath
  }

  return { root: rootDir, allow: allowDirs, approve, approveEntry }
}

const CHANGES: ReadonlySet<PathAccess> = new Set(['write', 'remove'])
/** The other ways of access are to a link itself. */
const FOLLOWS: ReadonlySet<PathAccess> = new Set(['read', 'write'])
const LEADING_SEPARATOR = /^[\\/]/

function canonicalDirectory(option: string, path: string): ApprovedPath {
  const invalid = (problem: string, hint: string) =>
    new HermesError('INVALID_OPTION', `Option '${option}': ${problem}: ${onOneLine(path)}`, { hint })
  if (path === '' || path.includes('\0')) throw invalid('not a path', 'Give the path of a directory.')
  const exists = 'Give a directory that exists and that you may enter.'
  let real: string
  try {
    real = realpathSync.native(resolve(path))
    if (!statSync(real).isDirectory()) throw invalid('not a directory', exists)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw invalid(error.code === 'ENOENT' ? 'no such directory' : error.code, exists)
  }
  const denial = denialOf(real, '', 'read')
  if (denial !== undefined) {
    throw invalid(`always denied (${denial.reason})`, 'Copy what is needed to a directory elsewhere and give that one.')
  }
  return real as ApprovedPath
}

/** A prefix that changes nothing: keeps aliases from taking over paths that are real. */
function asItself(directory: string): Prefix {
  const absolute = resolve(directory)
  return { names: namesOf(absolute), directory: absolute }
}

function aliasNames(alias: string): string[] {
  const names = namesOf(alias)
  if (isAbsolute(alias) && !names.includes('..') && !alias.includes('\0')) return names
  throw new HermesError('INVALID_OPTION', `Option 'rootAliases': not an absolute path: ${onOneLine(alias)}`, {
    hint: 'Write it like /workspace, without ..',
  })
}
