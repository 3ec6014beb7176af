import { join } from 'node:path'
import { sha256, storedAs, type FileState, type Operation } from '../../journal/index.js'
import { modeIn, type Inventory } from './command-inventory.js'
import type { Repository } from '../repository.js'
import { compareAll, isRepository, treeEntries, type TreeChange, type TreeEntry } from './tree-snapshot.js'

/** Largest file to restore, in bytes: the most that a buffer holds. */
const MOST_BYTES = 2 ** 31 - 1

/** A work tree at one moment. */
export type Snapshot = Omit<Extract<Operation, { op: 'snapshot' }>, 'op'>

/** The snapshots before the first command of a run and after the last. */
export interface Looks {
  repository: Repository
  first: Snapshot
  last: Snapshot
  before: Inventory
  /** Absent where hermes died before it was written. */
  after: Inventory | undefined
}

/** What commands changed, by comparing the two snapshots. */
export interface KnownCommands extends Looks {
  /** Paths that git did not look at before, so they may have existed already; directories end with `/`. */
  hidden: ReadonlySet<string>
  /** Changed files. */
  changes: readonly TreeChange[]
  /** Nested repositories (also submodules) that were added or removed, or have another commit. */
  repositories: readonly string[]
  /** HEAD was moved, other than forward on the same branch: differences that this explains are no work of the run. */
  isHeadMoved: boolean
}

export async function compareLooks(looks: Looks): Promise<KnownCommands> {
  const { repository, first, last, before } = looks
  const inTrees = await compareAll(repository, first.tree, last.tree)
  const all = [...inTrees, ...await changedForDisk(looks, new Set(inTrees.map(({ path }) => path)))]
  const repositories = all.filter((change) => isRepository(change.before) || isRepository(change.after))
  const hidden = new Set([
    ...before.ignored, ...before.others,
    ...repositories.flatMap((change) => (isRepository(change.before) ? [`${change.path}/`] : [])),
  ])
  const isHeadMoved = await hasMoved(looks)
  const brought = new Map(isHeadMoved && first.head !== undefined && last.head !== undefined
    ? (await compareAll(repository, first.head, last.head)).map((change) => [change.path, change]) : [])
  const isLeftOut = leftOutOf(looks)
  const changes = all.filter((change) => !repositories.includes(change))
    .map((change) => (isLeftOut(change) ? { path: change.path, ...(change.after && { after: change.after }) } : change))
    .flatMap((change) => sinceMove(change, brought.get(change.path), first.branch !== last.branch))
    .filter((change) => !(change.before === undefined && isHidden(hidden, change.path)))
  return { ...looks, hidden, changes, isHeadMoved, repositories: repositories.map(({ path }) => path) }
}

/** Tests whether a sparse checkout had left a file out before; then not even its directory existed. */
function leftOutOf({ repository, before }: Looks): (change: TreeChange) => boolean {
  if (!repository.isSparse()) return () => false
  const directories = new Set(before.directories)
  return ({ path, before: entry }) => {
    const parent = parentsOf(path)[0]
    return entry !== undefined && parent !== undefined && !directories.has(`${parent}/`)
  }
}

/**
 * Treats what the new HEAD brought as there before. A file that was changed beyond that is taken to have got it first
 * if another branch was checked out; git may leave files alone when it moves the same branch.
 */
function sinceMove(change: TreeChange, brought: TreeChange | undefined, isSwitched: boolean): TreeChange[] {
  const { path, before, after } = change
  if (!brought || !isSameEntry(before, brought.before)) return [change]
  if (isSameEntry(after, brought.after)) return []
  return isSwitched ? [
    { path, ...(brought.after && { before: { ...brought.after, isBrought: true as const } }), ...(after && { after }) },
  ] : [change]
}

function isSameEntry(treeEntry: TreeChange['before'], other: TreeChange['before']): boolean {
  return treeEntry?.mode === other?.mode && treeEntry?.object === other?.object
}

/** Files that changed on disk but are the same to git, since a filter drops the difference. */
async function changedForDisk(
  { repository, last, before, after }: Looks, inTrees: ReadonlySet<string>,
): Promise<TreeChange[]> {
  const [old, next] = [before.raw ?? {}, after?.raw ?? {}]
  const paths = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((path) =>
    old[path] !== next[path] && !inTrees.has(path))
  if (!after || paths.length === 0) return []
  const entries = await treeEntries(repository, last.tree)
  return paths.flatMap((path) => {
    const entry = entries.get(path)
    return entry ? [{ path, before: entry, after: entry }] : []
  })
}

/** @param path of a file, or of a directory without trailing `/` */
export function isHidden(hidden: ReadonlySet<string>, path: string): boolean {
  return hidden.has(path) || [path, ...parentsOf(path)].some((parent) => hidden.has(`${parent}/`))
}

async function hasMoved({ repository, first, last }: Looks): Promise<boolean> {
  if (first.head === undefined || first.head === last.head) return false
  if (first.branch !== last.branch || last.head === undefined) return true
  return (await repository.try(['merge-base', '--is-ancestor', first.head, last.head])).exitCode !== 0
}

/**
 * The state of a path at one of the two moments.
 *
 * @param entry its entry in that snapshot
 * @returns for files also their content on disk (not for large ones, see `largeFiles`): the saved bytes, or as git
 *   would check it out, through filters
 */
export async function stateAt(
  { repository, before, after }: Looks, moment: 'before' | 'after', path: string, entry: TreeEntry | undefined,
): Promise<{ state: FileState; content?: Uint8Array }> {
  if (!entry) return { state: { kind: 'absent' } }
  const { mode, object } = entry
  const isLink = mode === '120000'
  const inventory = moment === 'before' ? before : after
  const signature = entry.isBrought ? undefined : inventory?.large?.[path]
  if (signature !== undefined) return { state: { kind: 'file', size: parseInt(signature, 10), sha256: 'not kept' } }
  const raw = entry.isBrought ? undefined : inventory?.raw?.[path]
  const args = isLink || raw !== undefined ? ['cat-file', 'blob', raw ?? object]
    : ['cat-file', '--filters', `--path=${path}`, object]
  const content = await repository.run(args, { maxOutputBytes: MOST_BYTES })
  if (isLink) return { state: { kind: 'link', target: content.toString('base64') } }
  return {
    state: {
      kind: 'file', size: content.length, sha256: sha256(content),
      ...(inventory && { mode: modeIn(inventory, path, mode === '100755') }),
    },
    content,
  }
}

/** A path relative to the top (or the top itself), as the journal stores it. */
export function storedPath(root: string, { top }: Repository, path: string): string {
  return storedAs(root, join(top, path))
}

/** Parent directories of a path, innermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.push(path.slice(0, at))
  return parents
}
