import { dirname, join } from 'node:path'
import { NO_HOOKS } from '../../../../2-git/src/index.js'
import { captureState, isSameState, type RunRecord } from '../../journal/index.js'
import { aliveUntil, changeTime } from '../heartbeat.js'
import { storedPath } from '../commands/known-commands.js'
import { removeIndex } from '../commit/temporary-index.js'
import { findRepository, type Repository } from '../repository.js'
import { isOlderThan } from '../run-id.js'
import { ownStates } from './take-back.js'
import { compareTrees, type TreeChange } from '../commands/tree-snapshot.js'

const REFS = 'refs/hermes/recover/'
/** How long git keeps what recovery found, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Keeps, by a git ref, the trees of a run with commands that is being restored: `before`, `after` and `found`. Removes
 * old refs of this kind.
 */
export async function keepTrees(
  repository: Repository, runId: string, trees: Record<'before' | 'after' | 'found', string>,
): Promise<void> {
  const entries = Object.entries(trees).map(([name, tree]) => `040000 tree ${tree}\t${name}\n`).join('')
  const kept = (await repository.run(['mktree'], { input: entries })).toString('utf8').trim()
  await repository.run([...NO_HOOKS, 'update-ref', recoveryRef(runId), kept])
  const known = (await repository.run(['for-each-ref', '--format=%(refname)', REFS])).toString('utf8').trim()
    .split('\n')
  const input = known.filter((ref) => isOlderThan(ref.slice(REFS.length), KEPT_MS)).map((ref) => `delete ${ref}\n`)
    .join('')
  if (input !== '') await repository.run([...NO_HOOKS, 'update-ref', '--stdin'], { input })
}

/** The tree that was found when a dead run was recovered, for `git show`. */
export function foundObject(runId: string): string {
  return `${recoveryRef(runId)}:found`
}

/** A sentence for the user who restored a run with commands. */
export function toldOfFound(runId: string): string {
  return 'What changed since the first command of the run was put back, whoever changed it; '
    + `git still has what was there: git show ${foundObject(runId)}/PATH`
}

function recoveryRef(runId: string): string {
  return REFS + runId
}

/**
 * Those changes since a snapshot of a dead run that were made after its last sign of life, so they may be someone
 * else's. For deleted files this cannot be told; they count as the run's, since restoring them does no harm.
 *
 * @param tree the present tree
 */
export async function laterChanges(
  root: string, run: RunRecord, { repository, first, tree }: { repository: Repository; first: string; tree: string },
): Promise<TreeChange[]> {
  const death = aliveUntil(run.directory)
  if (death === undefined) return []
  return (await compareTrees(repository, first, tree)).filter(({ path, after }) => {
    if (after === undefined) return false
    const absolute = join(repository.top, path)
    if ((changeTime(absolute) ?? 0n) <= death) return false
    const now = captureState(absolute)
    return !ownStates(run.operations, storedPath(root, repository, path)).some((state) => isSameState(now, state))
  })
}

/** Stored paths that the first recovery of the run found to be later changes. Asks git only where commands ran. */
export async function laterPaths(root: string, { begin, operations }: RunRecord): Promise<Set<string>> {
  const last = operations.findLast((operation) => operation.op === 'snapshot')
  const repository = last === undefined ? undefined : await findRepository(root)
  const tree = repository && await foundTree(repository, begin.runId)
  if (last?.op !== 'snapshot' || !repository || tree === undefined) return new Set()
  return new Set(
    (await compareTrees(repository, last.tree, tree)).map(({ path }) => storedPath(root, repository, path)),
  )
}

/** Stored paths that differ from both the run's own last snapshot and its commit. */
export async function changedSinceCommit(
  root: string, { begin, operations }: RunRecord, commit: string,
): Promise<string[]> {
  const own = operations.find((operation) => operation.op === 'snapshot')
  const repository = own === undefined ? undefined : await findRepository(root)
  const tree = repository && await foundTree(repository, begin.runId)
  if (own?.op !== 'snapshot' || !repository || tree === undefined) return []
  const committed = new Set((await compareTrees(repository, commit, tree)).map(({ path }) => path))
  return (await compareTrees(repository, own.tree, tree)).filter(({ path }) => committed.has(path))
    .map(({ path }) => storedPath(root, repository, path))
}

/** Id of the tree that was found when a run was recovered. */
export async function foundTree(repository: Repository, runId: string): Promise<string | undefined> {
  return repository.resolve(foundObject(runId))
}

/** Whether something was removed from the directory of a deleted file after the run's last sign of life. */
export function mayBeGoneLater({ directory }: RunRecord, absolute: string): boolean {
  const death = aliveUntil(directory)
  if (death === undefined || changeTime(absolute) !== undefined) return false
  for (let above = dirname(absolute); above !== dirname(above); above = dirname(above)) {
    const time = changeTime(above)
    if (time !== undefined) return time > death
  }
  return false
}

/** Files, relative to the top, that were gone at the run's own snapshot before its commit. */
export async function goneInCommit(repository: Repository, { operations }: RunRecord): Promise<Set<string>> {
  const first = operations.find((operation) => operation.op === 'command')
  const own = operations.slice(0, Math.max(operations.findIndex(({ op }) => op === 'commit'), 0))
    .findLast((operation) => operation.op === 'snapshot')
  if (first?.op !== 'command' || first.tree === undefined || own?.op !== 'snapshot') return new Set()
  const changes = await compareTrees(repository, first.tree, own.tree)
  return new Set(changes.flatMap(({ path, after }) => (after === undefined ? [path] : [])))
}

/**
 * Replaces entries of a tree by `before` of each change.
 *
 * @returns its id
 */
export async function withBefore(
  repository: Repository, runId: string, { tree, changes }: { tree: string; changes: readonly TreeChange[] },
): Promise<string> {
  if (changes.length === 0) return tree
  const index = join(repository.gitDirectory, `hermes-later-${runId}`)
  const env = { GIT_INDEX_FILE: index }
  const none = '0'.repeat(tree.length)
  try {
    await repository.run([...NO_HOOKS, 'read-tree', tree], { env })
    const lines = changes.map(({ path, before }) => `${before?.mode ?? '0'} ${before?.object ?? none}\t${path}\0`)
    await repository.run([...NO_HOOKS, 'update-index', '--replace', '-z', '--index-info'], {
      env, input: lines.join(''),
    })
    return (await repository.run(['write-tree'], { env })).toString('utf8').trim()
  } finally {
    removeIndex(index)
  }
}
