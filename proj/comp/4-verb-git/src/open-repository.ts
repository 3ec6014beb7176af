import { sep } from 'node:path'
import { type ApprovedPath, unlessRefused, type VerbContext } from '../../0-contracts/src/index.js'
import { getParentDirectory, approvePath, isDenied } from '../../2-files/src/index.js'
import { findWorkTree, notARepository, type WorkTree } from '../../2-git/src/index.js'
import { requireOwnRepository } from '../../2-sandbox/src/index.js'

/** A work tree as verbs see it: git's names start at its top, those in results at the root. */
export interface OpenedRepository extends WorkTree {
  /** Subject of the call: the given path, or the root. Links are not followed. */
  scope: ApprovedPath
  /** Whether something is at `scope` on disk. */
  onDisk: boolean
  /** Arguments that limit a command run in `top` to `scope`, `--` included. */
  limit: readonly string[]
  /** Path from the top to the root, ending in `/`, where the top is above the root; else `''`. */
  rootPrefix: string
  /** A path from the top as results show it: relative to the root, or absolute outside of it. */
  shown(path: string): string
  /** The reverse for an approved path; `undefined` outside the work tree. */
  fromTop(full: string): string | undefined
  /** False for paths that the policy denies and those outside the root, which are left out. */
  allowed(path: string): boolean
}

/**
 * Opens the work tree of a path: that of the nearest existing directory.
 *
 * @param kind `file`: the work tree that contains the path, even if the path is a submodule
 * @throws HermesError as the gate, `findWorkTree` and `requireOwnRepository`
 */
export async function openRepository(
  verb: string, path: string | undefined, context: VerbContext, kind?: 'file',
): Promise<OpenedRepository> {
  const { gate, files, session, signal, limits } = context
  const scope = path === undefined ? context.gate.approve(context.session.root, 'read')
    : approveOwn(verb, path, context)
  const stat = files.lstat(scope)
  const asDirectory = stat?.kind === 'directory' && (kind !== 'file' || path === undefined)
  const cwd = asDirectory ? scope : nearestDirectory(scope, context)
  const { top, gitDirectory } = await findWorkTree({ verb, cwd, signal, timeoutMs: limits.commandTimeoutMs })
  const absolute = (fromTop: string) => `${top}${top.endsWith(sep) ? '' : sep}${fromTop}`
  const below = fromTo(top, scope)
  if (below === undefined) throw notARepository(verb, 'its work tree is elsewhere')
  const { root } = session
  const toRoot = fromTo(top, root) ?? ''
  requireOwnRepository(verb, { top, gitDirectory }, {
    root,
    // The root or an `--allow` directory, or inside one.
    isOpen: directory => unlessRefused(() => gate.approve(directory, 'list') !== undefined, false),
  })
  return {
    top,
    gitDirectory,
    scope,
    onDisk: stat !== undefined,
    limit: ['--', below === '' ? '.' : literal(below)],
    rootPrefix: toRoot === '' ? '' : `${toRoot}/`,
    shown(fromTop) {
      const full = absolute(fromTop)
      return slashed(fromTo(session.root, full) ?? full)
    },
    fromTop: full => fromTo(top, full),
    allowed: fromTop => isInReach(gate, absolute(fromTop)),
  }
}

/** A pathspec that matches exactly this name and what is below it. */
export function literal(fromTop: string): string {
  return `:(top,literal)${fromTop}`
}

/** Approves a link by its own place instead of its target, since git stores the link. */
export function approveOwn(verb: string, path: string, { gate }: Pick<VerbContext, 'gate'>): ApprovedPath {
  return approvePath(gate, verb, path, 'show')
}

/** The nearest existing directory; directories above an approved path inside its root are approved with it. */
function nearestDirectory(path: ApprovedPath, { files, session }: VerbContext): ApprovedPath {
  let directory = getParentDirectory(path) as ApprovedPath
  while (files.lstat(directory)?.kind !== 'directory') {
    const parent = getParentDirectory(directory) as ApprovedPath
    if (parent === directory) return session.root as ApprovedPath
    directory = parent
  }
  return directory
}

/** Whether the policy allows showing the content at a full path; a link is judged by its own place. */
export function isInReach(gate: VerbContext['gate'], path: string): boolean {
  // The gate refuses names that are not UTF-8, so judge a similar name in the same directory.
  return !isDenied(gate, path.replace(/[\\/]$/, '').replaceAll('\ufffd', '_'), 'show')
}

/** Relative path from a directory to something below it, `''` for itself; `undefined` where it is not below. */
export function fromTo(directory: string, path: string): string | undefined {
  if (path === directory) return ''
  const start = directory.endsWith(sep) ? directory : directory + sep
  return path.startsWith(start) ? slashed(path.slice(start.length)) : undefined
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
