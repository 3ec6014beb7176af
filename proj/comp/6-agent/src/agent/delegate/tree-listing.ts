import { join, posix } from 'node:path'
import { HermesError, orNothing, type DelegateCall } from '../../../../0-contracts/src/index.js'
import { valueAt } from '../../../../0-text/src/index.js'
import { approveIfAllowed, leadsThroughLink, walk } from '../../../../2-files/src/index.js'
import { findWorkTree, gitReader, nulNames } from '../../../../2-git/src/index.js'

const VERB = 'delegate'

/**
 * The names of what a copy of a tree holds, from its root with `/`, every byte kept. In a git work tree what git has in
 * its index, and what is new and not ignored, as the files are now; elsewhere all but what ignore files name and the
 * folders that tools fill. Links and repositories of their own may be among them; what is gone may be, too.
 *
 * @param onUnreadable called with a folder whose names cannot be read; git tells of none
 */
export async function treeNames(
  root: string, call: DelegateCall, onUnreadable: (folder: string) => void,
): Promise<string[]> {
  const run = { verb: VERB, cwd: root, signal: call.signal }
  const isTracked = await findWorkTree(run).then(() => true, (error: unknown) => {
    // Without git, outside of any work tree, and in one of somebody else, whom git does not trust.
    if (error instanceof HermesError && ['NOT_A_REPOSITORY', 'ENOENT', 'EACCES'].includes(error.code)) return false
    throw error
  })
  if (!isTracked) return walkedNames(root, call, onUnreadable)
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await gitReader(run).read(args)
  const names = [...new Set(nulNames(stdout).map((name) => name.replace(/\/$/, '')))].sort()
  // A root that its work tree ignores as a whole is no part of it.
  return names.length > 0 ? names : walkedNames(root, call, onUnreadable)
}

/** As `treeNames` where there is no git: also what is new in a copy. */
export async function walkedNames(
  root: string, { gate, files, signal }: Pick<DelegateCall, 'gate' | 'files' | 'signal'>,
  onUnreadable: (folder: string) => void = () => undefined,
): Promise<string[]> {
  const start = approveIfAllowed(gate, root, 'list')
  if (start === undefined) return []
  const names: string[] = []
  const options = {
    gitignore: true, dependencies: false, links: true, odd: true, access: 'list', onUnreadable,
  } as const
  for await (const { relative } of walk(start, { gate, files, signal }, options)) names.push(relative)
  return names
}

/** Tells names that have a link in the place of a folder above them: what is there is none of the tree. */
export function belowLinks(root: string): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const folder = posix.dirname(name)
    return valueAt(known, folder, () => orNothing(() => leadsThroughLink(root, folder), false))
  }
}

/** The folders that lie above some of the names. */
export function foldersOf(names: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const name of names) {
    let at = name.lastIndexOf('/')
    for (; at > 0 && !folders.has(name.slice(0, at)); at = name.lastIndexOf('/', at - 1)) {
      folders.add(name.slice(0, at))
    }
  }
  return folders
}

/** Where a name of a tree is on the disk. */
export function placeOf(root: string, name: string): string {
  return join(root, ...name.split('/'))
}
