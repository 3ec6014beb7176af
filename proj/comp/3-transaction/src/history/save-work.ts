import { rmdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing, unlessCode } from '../../../0-contracts/src/index.js'
import { copyIndex, nulEnded } from '../../../2-git/src/index.js'
import { removeIndex, type Repository } from '../transaction/index.js'
import { shortId } from './open-history.js'
import { saveRaw } from './raw-work.js'
import type { SavedWork } from './steps-state.js'
import { AS_IT_IS, commitFor, gitOn, IDENTITY, withIndex } from './work-index.js'
import { statOf, type WorkStatus } from './work-status.js'

/** Permission bits that git restores by itself, under usual umasks. */
const PLAIN_MODES = new Set([0o644, 0o664, 0o755, 0o775])

/**
 * Saves all work as an entry of `git stash list`, in the form of `git stash push --include-untracked`, but exactly:
 * `git stash` itself fails on intent-to-add, brings back files that were added and then removed, and overwrites ignored
 * files. The work tree is not changed yet.
 */
export async function saveWork(repository: Repository, head: string, work: WorkStatus): Promise<SavedWork> {
  return withIndex(repository, (temporary) => save(repository, head, work, temporary))
}

async function save(repository: Repository, head: string, work: WorkStatus, temporary: string): Promise<SavedWork> {
  const git = gitOn(repository, temporary)
  const commit = (tree: string, parents: readonly string[], message: string): Promise<string> => (
    commitFor(repository, tree, parents, message)
  )
  const index = (await repository.run(['write-tree'])).toString('utf8').trim()
  const about = `hermes work at ${shortId(head)}`

  copyIndex(join(repository.gitDirectory, 'index'), temporary)
  const zero = '0'.repeat(head.length)
  await git(['update-index', '-z', '--index-info'], nulEnded(work.missing.map(path => `0 ${zero}\t${path}`)))
  await git([...AS_IT_IS, 'update-index', '-z', '--add', '--stdin'], nulEnded(work.changed))
  const tracked = await git(['write-tree'])

  removeIndex(temporary)
  await git(['read-tree', '--empty'])
  await git([...AS_IT_IS, 'update-index', '-z', '--add', '--stdin'], nulEnded(work.untracked))
  const untracked = await git(['write-tree'])

  // As a parent of the index commit it disappears with the stash entry, and git stash ignores it.
  const files = work.paths.filter(path => statOf(repository, path)?.isFile() === true)
  const raw = await saveRaw(repository, files, temporary, `files as they are on disk of ${about}`)
  const parents = [head, await commit(index, raw === undefined ? [head] : [head, raw], `index of ${about}`)]
  if (work.untracked.length > 0) parents.push(await commit(untracked, [], `untracked files of ${about}`))
  const message = `hermes: ${about}`
  const stash = await commit(tracked, parents, message)
  await repository.run(['stash', 'store', '--message', message, stash], { env: IDENTITY })
  return { commit: head, stash, intentToAdd: work.intentToAdd, modes: unusualModes(repository, work) }
}

/** Resets work tree and index to HEAD; `work` must have been saved. */
export async function clearWork(repository: Repository, work: WorkStatus): Promise<void> {
  for (const path of work.untracked) {
    const file = join(repository.top, path)
    unlessCode(['ENOENT'], () => unlinkSync(file), undefined)
    removeEmptyParents(repository.top, dirname(file))
  }
  await repository.run([...AS_IT_IS, 'reset', '--hard', '--quiet'])
}

function unusualModes(repository: Repository, work: WorkStatus): Record<string, number> {
  const modes: Record<string, number> = {}
  for (const path of [...work.changed, ...work.untracked]) {
    const stat = statOf(repository, path)
    const mode = (stat?.mode ?? 0) & 0o777
    if (stat?.isFile() === true && !PLAIN_MODES.has(mode)) modes[path] = mode
  }
  return modes
}

function removeEmptyParents(top: string, directory: string): void {
  orNothing(() => {
    for (let at = directory; at !== top; at = dirname(at)) rmdirSync(at)
  }, undefined)
}
