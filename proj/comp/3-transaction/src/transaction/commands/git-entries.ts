import { createHash } from 'node:crypto'
import { isOddName } from '../../../../0-text/src/index.js'
import { nulNames } from '../../../../2-git/src/index.js'
import type { Repository } from '../repository.js'

/** What git has at a name. */
export interface Entry {
  mode: string
  object: string
}

export interface EntryChange {
  before?: Entry
  after?: Entry
}

/** What HEAD and the user's index have. */
export interface GitEntries {
  /** Full SHA; `undefined` on an unborn branch. */
  head: string | undefined
  /** In HEAD, by name. */
  committed: ReadonlyMap<string, Entry>
  /** In the index otherwise than in HEAD, whatever the name. */
  staged: ReadonlyMap<string, EntryChange>
  /** Names git was told not to look at on disk: assume-unchanged, skip-worktree, not in a sparse checkout. */
  unwatched: ReadonlySet<string>
}

/** With more names, listing all is quicker than looking for each. */
const MOST_ARGUMENTS = 50
/** The list of a large repository has some 100 bytes a file. */
const MOST_BYTES = 1024 ** 3
const NO_OBJECT = /^0+$/

export async function readEntries(repository: Repository, names: readonly string[]): Promise<GitEntries> {
  const head = await repository.head()
  const [listed, staged] = await Promise.all([listIndex(repository, names), stagedChanges(repository, head)])
  const committed = new Map<string, Entry>()
  const unwatched = new Set<string>()
  const unmerged: string[] = []
  for (const name of names) {
    const found = listed.get(name)
    const change = staged.get(name)
    if (found?.tag === 'M') unmerged.push(name)
    else if (found !== undefined && found.tag !== 'H') unwatched.add(name)
    const entry = change ? change.before : found
    if (entry && found?.tag !== 'M') committed.set(name, { mode: entry.mode, object: entry.object })
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

/** What a tree or commit has at some names; nothing where it has directories. */
export async function readTree(
  repository: Repository, tree: string, names: readonly string[],
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  if (names.length === 0) return found
  const few = areFew(names) ? ['--', ...names] : ['-r']
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, ...few]
  const output = await repository.run(args, { maxOutputBytes: MOST_BYTES })
  for (const line of nulNames(output)) {
    const [mode = '', type, object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    if (type === 'blob') found.set(line.slice(line.indexOf('\t') + 1), { mode, object })
  }
  return found
}

/** Names that are not UTF-8 cannot be arguments: Node makes text of these. */
function areFew(names: readonly string[]): boolean {
  return names.length <= MOST_ARGUMENTS && !names.some(isOddName)
}

/** What is staged now, by name; what is staged to be removed is left out. */
export async function readStaged(repository: Repository): Promise<{ name: string; mode: string; object: string }[]> {
  const staged = await stagedChanges(repository, await repository.head())
  return [...staged].flatMap(([name, { after }]) => (after ? [{ name, ...after }] : []))
}

/** What `git diff-tree` says of two trees or commits. */
export async function treeChanges(
  repository: Repository, before: string, after: string,
): Promise<Map<string, EntryChange>> {
  return rawChanges(
    await repository.run(
      ['diff-tree', '-r', '-z', '--no-renames', before, after, '--'], { maxOutputBytes: MOST_BYTES },
    ),
  )
}

/** The tree without files; git knows it everywhere. */
export function emptyTree({ objectFormat }: Repository): string {
  return createHash(objectFormat).update('tree 0\0').digest('hex')
}

async function stagedChanges(repository: Repository, head: string | undefined): Promise<Map<string, EntryChange>> {
  return rawChanges(await repository.run([
    'diff-index', '--cached', '-z', '--no-renames', '--ita-visible-in-index', head ?? emptyTree(repository), '--',
  ], { maxOutputBytes: MOST_BYTES }))
}

/** By name, with the tag of `ls-files -v`; a file outside of a sparse checkout is tagged so although it is there. */
async function listIndex(
  repository: Repository, names: readonly string[],
): Promise<Map<string, Entry & { tag: string }>> {
  const few = areFew(names) ? names : []
  const output = await repository.run([
    '-c', 'sparse.expectFilesOutsideOfPatterns=true', '--literal-pathspecs', 'ls-files', '-z', '-s', '-v', '--', ...few,
  ], { maxOutputBytes: MOST_BYTES })
  const found = new Map<string, Entry & { tag: string }>()
  for (const line of nulNames(output)) {
    const [tag = '', mode = '', object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    found.set(line.slice(line.indexOf('\t') + 1), { tag, mode, object })
  }
  return found
}

/** Reads `:MODE MODE OBJECT OBJECT STATUS NUL NAME NUL`. */
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
