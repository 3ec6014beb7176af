import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import {
  type ApprovedPath, HermesError, isNodeError, orNothing, type PathAccess, type PathGate, type PathPolicy,
  type PathProbe, settingName,
} from '../../../0-contracts/src/index.js'
import { isOddName, nameOfShown, shownName } from '../../../0-text/src/index.js'
import { canonicalPath, probeDisk } from './canonical-path.js'
import { closedBy, denialOf } from './deny-patterns.js'
import { isInside } from '../../../2-processes/src/index.js'
import type { DenyPattern } from './protected-paths.js'
import { checkWritten, namesOf, onOneLine, toAbsolute } from './written-path.js'

interface PathGateOptions {
  /** Where relative paths start; a relative root is resolved once against the working directory. */
  root: string
  /** Further allowed directories. Default: none. */
  allow?: readonly string[]
  /** Absolute prefixes that stand for the root. Default: none. */
  aliases?: readonly string[]
  /** To use in place of the disk, for stores that keep changes in memory. */
  probe?: PathProbe
  /** The root is a resolved path on another machine, which only `probe` knows. Default false. */
  isElsewhere?: boolean
  /** Rules of policy files on top of `DENY_PATTERNS`. Default: none. */
  policy?: PathPolicy | undefined
  /** Closed places on top of `DENY_PATTERNS`. Default: none. */
  closed?: readonly ClosedPlace[]
  /** Further closed places around a path; only called for changes. */
  closedAround?: (path: string, base: string) => readonly ClosedPlace[]
  /** For actions of the user, such as an undo: secrets, settings and policy files are not protected then. */
  forUser?: boolean
}

/** A place that verbs must not touch, such as the repository that a `.git` file names. */
export interface ClosedPlace extends Pick<DenyPattern, 'denies' | 'reason'> {
  /** Absolute, links resolved; includes everything below it. */
  path: string
}

/**
 * The gate that all paths of a model pass, and the only source of `ApprovedPath`: once links are followed, a path must
 * be inside the root or an allowed directory, and match no deny pattern.
 *
 * @returns with the root and the allowed directories in the given order, all absolute, links resolved
 * @throws HermesError `INVALID_OPTION` where a directory is missing, not a directory or always denied, or an alias is
 *   not absolute
 */
export function createPathGate(
  {
    root, allow = [], aliases = [], probe, isElsewhere = false, policy, closed = [], closedAround, forUser,
  }: PathGateOptions,
): PathGate & { readonly root: ApprovedPath; readonly allow: readonly ApprovedPath[] } {
  const rootDir = isElsewhere ? root as ApprovedPath : canonicalDirectory('root', root)
  const allowDirs = allow.map((path) => canonicalDirectory('allow', path))
  // The innermost directory decides, so that a directory inside a denied place can be allowed.
  const bases = [rootDir, ...allowDirs].sort((a, b) => b.length - a.length)
  const prefixes = aliases.length === 0 ? [] : [
    ...aliases.map((alias) => ({ names: aliasNames(alias), directory: rootDir })),
    // Each stands for itself, so that an alias does not hide a real directory.
    ...[root, ...allow, ...bases].map((each) => ({ names: namesOf(resolve(each)), directory: resolve(each) })),
  ]
  const insideHint = `Use a path inside the root ${rootDir}` +
    (aliases.length > 0 ? ` (also written ${aliases.join(', ')})` : '') +
    (allowDirs.length > 0 ? ` or inside ${allowDirs.join(', ')}` : '')

  function outside(path: string): HermesError {
    const stands = settingName('rootAliases').replace('DIR', otherRoot(path) ?? 'DIR')
    return new HermesError('POLICY_DENIED', `Path is outside the root: ${onOneLine(path)}`, {
      hint: `${insideHint}. Only the user can open another directory (${settingName('allow')}) `
        + `or let one stand for the root (${stands}).`,
    })
  }

  /** The prefix by which a path seems to mean the root: what follows it, or the parent of that, exists in the root. */
  function otherRoot(path: string): string | undefined {
    if (!PLAIN_ABSOLUTE.test(path)) return undefined
    const names = namesOf(path)
    const at = names.findIndex((_, index) => index > 0 && isKnown(names.slice(index)))
    return at === -1 ? undefined : `/${names.slice(0, at).join('/')}`
  }

  /** Whether names exist in the root; false for what is outside or closed. */
  function isKnown(names: readonly string[]): boolean {
    const place = join(rootDir, ...(names.length > 1 ? names.slice(0, -1) : names))
    return orNothing(() => {
      const real = canonicalPath(place, true, probe)
      const below = real.slice(rootDir.length).replace(LEADING_SEPARATOR, '')
      return isInside(rootDir, real) && exists(real)
        && (closedBy(closed, real, 'read') ?? denialOf(real, below, 'read', { policy })) === undefined
    }, false)
  }

  function resolveLinks(path: string, access: PathAccess): string {
    try {
      return canonicalPath(toAbsolute(path, rootDir, prefixes), FOLLOWS.has(access), probe)
    } catch (error) {
      if (!isNodeError(error)) throw error
      // For a path outside, not even the kind of failure is revealed.
      if (!bases.some((base) => isInside(base, error.path ?? rootDir))) throw outside(path)
      if (error.code !== 'ELOOP') throw error
      throw new HermesError('ELOOP', `Links lead in a circle: ${onOneLine(path)}`, {
        hint: 'Use the path of a real file, or remove the link first.',
        cause: error,
      })
    }
  }

  /** The file meant by a path in the form of `shownName`, if no file really has that name. */
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

  /**
   * @param path as written
   * @param real as it is on disk
   */
  function approveReal(path: string, real: string, access: PathAccess): ApprovedPath {
    // Names that are not UTF-8 are in the form of `nameOfBytes`: commands may create such files, verbs only read them.
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
/** Accesses that follow a link in the last component; the others act on the link itself. */
const FOLLOWS: ReadonlySet<PathAccess> = new Set(['read', 'write'])
const LEADING_SEPARATOR = /^[\\/]/
/** A path that can be used in a command without quotes. */
const PLAIN_ABSOLUTE = /^(?:\/(?!\.\.?(?:\/|$))[\w.-]+)+$/

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

function aliasNames(alias: string): string[] {
  const names = namesOf(alias)
  if (isAbsolute(alias) && !names.includes('..') && !alias.includes('\0')) return names
  throw new HermesError('INVALID_OPTION', `Option 'rootAliases': not an absolute path: ${onOneLine(alias)}`, {
    hint: 'Write it like /workspace, without ..',
  })
}
