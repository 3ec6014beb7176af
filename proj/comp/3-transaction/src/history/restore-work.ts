import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { treeChanges, type EntryChange, type Repository } from '../transaction/index.js'
import { nulEnded, nulFields } from '../../../2-git/src/index.js'
import { restoreRaw } from './raw-work.js'
import type { SavedWork } from './steps-state.js'
import { AS_IT_IS, gitOn, withIndex } from './work-index.js'
import { statOf, workStatus } from './work-status.js'

/**
 * Restores saved work on the commit it was saved on: files, untracked files and index exactly as they were; or nothing,
 * if anything is in the way. The stash entry stays in the list.
 *
 * @returns paths relative to the top of the work tree; `conflicts`: existing files in the place of saved ones
 */
export async function restoreWork(
  command: string, repository: Repository, saved: SavedWork,
): Promise<{ restored: string[]; conflicts: string[] }> {
  return withIndex(repository, async (index) => {
    const { commit, stash } = saved
    const tree = await treeOnDisk(repository, stash, index)
    const staged = (await repository.run(['rev-parse', `${stash}^2^{tree}`])).toString('utf8').trim()
    const changes = await treeChanges(repository, commit, tree)
    const stagedChanges = await treeChanges(repository, commit, staged)
    const touched = [...new Set([...changes.keys(), ...stagedChanges.keys()])].sort()
    const conflicts = await findConflicts(command, repository, changes, touched)
    if (conflicts.length > 0) return { restored: [], conflicts }
    await repository.run([...AS_IT_IS, 'read-tree', '-m', '-u', commit, tree])
    await restoreIndex(repository, tree, staged, saved)
    for (const [path, mode] of Object.entries(saved.modes)) chmodSync(join(repository.top, path), mode)
    return { restored: touched, conflicts: [] }
  })
}

/** Tree of the tracked and untracked files together. */
async function treeOnDisk(repository: Repository, stash: string, index: string): Promise<string> {
  const git = gitOn(repository, index)
  await git(['read-tree', stash])
  if (await repository.resolve(`${stash}^3`) !== undefined) {
    const entries = nulFields(await repository.run(['ls-tree', '-r', '-z', '--full-tree', `${stash}^3`]))
    await git(['update-index', '-z', '--index-info'], nulEnded(entries))
  }
  return git(['write-tree'])
}

async function restoreIndex(repository: Repository, tree: string, staged: string, saved: SavedWork): Promise<void> {
  const zero = '0'.repeat(tree.length)
  const lines = [...await treeChanges(repository, tree, staged)]
    .map(([path, { after }]) => `${after?.mode ?? '0'} ${after?.object ?? zero}\t${path}`)
  await repository.run(['update-index', '-z', '--index-info'], { input: nulEnded(lines) })
  await restoreRaw(repository, `${saved.stash}^2^2`)
  if (saved.intentToAdd.length > 0) {
    const args = ['add', '--force', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul']
    await repository.run(['--literal-pathspecs', ...args], { input: nulEnded(saved.intentToAdd) })
  }
  // Exit code 1 means that files differ from the index, as intended.
  await repository.try([...AS_IT_IS, 'update-index', '-q', '--refresh'])
}

async function findConflicts(
  command: string, repository: Repository, changes: ReadonlyMap<string, EntryChange>, touched: readonly string[],
): Promise<string[]> {
  const dirty = new Set((await workStatus(command, repository, [])).paths)
  const conflicts = new Set(touched.filter(path => dirty.has(path)))
  const leaving = new Set([...changes].filter(([, { after }]) => after === undefined).map(([path]) => path))
  for (const [path, { before }] of changes) {
    const standing = before ? undefined : await whatStandsAt(repository, path, leaving)
    if (standing !== undefined) conflicts.add(standing)
  }
  return [...conflicts].sort()
}

/** What would be overwritten by a file at `path`, be it ignored or not. */
async function whatStandsAt(
  repository: Repository, path: string, leaving: ReadonlySet<string>,
): Promise<string | undefined> {
  for (let name = path; name !== '.'; name = dirname(name)) {
    const stat = statOf(repository, name)
    if (stat === undefined) continue
    if (!stat.isDirectory()) return leaving.has(name) ? undefined : name
    if (name !== path) return undefined
    const others = await repository.run(['ls-files', '--others', '-z', '--', `:(top,literal)${name}`])
    return others.length > 0 ? name : undefined
  }
  return undefined
}
