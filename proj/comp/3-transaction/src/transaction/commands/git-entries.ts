import { createHash } from 'node:crypto'
import { isOddName } from '../../../../0-text/src/index.js'
import { nulNames } from '../../../../2-git/src/index.js'
import type { Repository } from '../repository.js'

/** Git's entry for a name. */
export interface Entry {
  mode: string
  object: string
}

export interface EntryChange {
  before?: Entry
  after?: Entry
}

/** Entries in HEAD and in the user's index. */
export interface GitEntries {
  /** Full SHA; `undefined` on an unborn branch. */
  head: string | undefined
  /** Entries in HEAD, by name. */
  committed: ReadonlyMap<string, Entry>
  /** Entries of the index that differ from HEAD, of all names. */
  staged: ReadonlyMap<string, EntryChange>
  /** Names that git does not compare with the disk: assume-unchanged, skip-worktree, outside a sparse checkout. */
  unwatched: ReadonlySet<string>
}

/** Beyond this many names, listing all is faster than asking for each. */
const MOST_ARGUMENTS = 50
/** A listing of a large repository has about 100 bytes for each file. */
const MOST_BYTES = 1024 ** 3
const NO_OBJECT = /^0+$/

export async function readEntries(repository: Repository, names: readonly string[]): Promise<GitEntries> {
  const head = await repository.head()
  const [listed, staged] = await Promise.all([listIndex(repository, names), stagedChanges(repository, head)])
  const committed = new Map<string, Entry>()
  const unwatched = new Set<string>()
  const unmerged: string[] = []
  for (const name of names) {
    const listedAs = listed.get(name)
    const change = staged.get(name)
    if (listedAs?.tag === 'M') unmerged.push(name)
    else if (listedAs !== undefined && listedAs.tag !== 'H') unwatched.add(name)
    const entry = change ? change.before : listedAs
    if (entry && listedAs?.tag !== 'M') committed.set(name, { mode: entry.mode, object: entry.object })
  }
  if (head !== undefined) {
    for (const name of unmerged) {
      const { stdout } = await repository.try(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', head, '--', name])
      const [, mode, object] = /^(\d+) \w+ ([0-9a-f]+)\t/.exec(stdout.toString('utf8')) ?? []
      if (mode !== undefined && object !== undefined) committed.set(name, { mode, object })
    }
  }
  return { head, committed, staged, unwatched }
}

/** Entries of a tree or commit at some names, without directories. */
export async function readTree(
  repository: Repository, tree: string, names: readonly string[],
): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (names.length === 0) return entries
  const few = areFew(names) ? ['--', ...names] : ['-r']
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, ...few]
  const output = await repository.run(args, { maxOutputBytes: MOST_BYTES })
  for (const line of nulNames(output)) {
    const [mode = '', type, object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    if (type === 'blob') entries.set(line.slice(line.indexOf('\t') + 1), { mode, object })
  }
  return entries
}

/** Whether names can be arguments: few, and all UTF-8, since Node converts arguments to text. */
function areFew(names: readonly string[]): boolean {
  return names.length <= MOST_ARGUMENTS && !names.some(isOddName)
}

/** What is staged now; removals are left out. */
export async function readStaged(repository: Repository): Promise<{ name: string; mode: string; object: string }[]> {
  const staged = await stagedChanges(repository, await repository.head())
  return [...staged].flatMap(([name, { after }]) => (after ? [{ name, ...after }] : []))
}

/** The differences of two trees or commits, by `git diff-tree`. */
export async function treeChanges(
  repository: Repository, before: string, after: string,
): Promise<Map<string, EntryChange>> {
  return rawChanges(
    await repository.run(
      ['diff-tree', '-r', '-z', '--no-renames', before, after, '--'], { maxOutputBytes: MOST_BYTES },
    ),
  )
}

/** Object id of the empty tree, which every git knows. */
export function emptyTree({ objectFormat }: Repository): string {
  return createHash(objectFormat).update('tree 0\0').digest('hex')
}

async function stagedChanges(repository: Repository, head: string | undefined): Promise<Map<string, EntryChange>> {
  return rawChanges(await repository.run([
    'diff-index', '--cached', '-z', '--no-renames', '--ita-visible-in-index', head ?? emptyTree(repository), '--',
  ], { maxOutputBytes: MOST_BYTES }))
}

/**
 * Index entries by name, with the tag of `ls-files -v`; a file outside a sparse checkout has its tag even if it exists.
 */
async function listIndex(
  repository: Repository, names: readonly string[],
): Promise<Map<string, Entry & { tag: string }>> {
  const few = areFew(names) ? names : []
  const output = await repository.run([
    '-c', 'sparse.expectFilesOutsideOfPatterns=true', '--literal-pathspecs', 'ls-files', '-z', '-s', '-v', '--', ...few,
  ], { maxOutputBytes: MOST_BYTES })
  const entries = new Map<string, Entry & { tag: string }>()
  for (const line of nulNames(output)) {
    const [tag = '', mode = '', object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    entries.set(line.slice(line.indexOf('\t') + 1), { tag, mode, object })
  }
  return entries
}

/** Parses `:MODE MODE OBJECT OBJECT STATUS NUL NAME NUL`. */
function rawChanges(output: Uint8Array): Map<string, EntryChange> {
  const fields = nulNames(output)
  const changes = new Map<string, EntryChange>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', mode = '', oldObject = '', object = ''] = (fields[at] ?? '').slice(1).split(' ')
    changes.set(fields[at + 1] ?? '', {
      ...(!NO_OBJECT.test(oldObject) && { before: { mode: oldMode, object: oldObject } }),
      ...(!NO_OBJECT.test(object) && { after: { mode, object } }),
    })
  }
  return changes
}
