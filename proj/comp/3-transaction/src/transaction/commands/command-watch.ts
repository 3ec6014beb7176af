import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import { addToLog, type RunRecord } from '../../journal/index.js'
import { readInventory, saveInventory, takeInventory, type Moment } from './command-inventory.js'
import type { Snapshot } from './known-commands.js'
import { foundTree, keepTrees, laterChanges, withBefore } from '../undo/later-work.js'
import { findRepository, type Repository } from '../repository.js'
import { correctRawCopies, saveRawCopies } from './raw-copies.js'
import { TreeSnapshots } from './tree-snapshot.js'

/**
 * Takes the snapshot, and saves beside the journal what git leaves out of it.
 *
 * @param look `directory` of the run's journal
 * @throws HermesError when git cannot read the whole tree
 */
export async function lookAt(
  repository: Repository, snapshots: TreeSnapshots, look: { directory: string; moment: Moment; durable: boolean },
): Promise<Snapshot> {
  const { directory, moment, durable } = look
  const usual = moment === 'after' ? readInventory(directory, 'before')?.usual : undefined
  const [tree, inventory, head, branch] = await Promise.all([
    snapshots.take(), takeInventory(repository, usual), repository.head(), repository.branch(),
  ])
  const raw = await saveRawCopies(repository, tree)
  const { large } = snapshots
  saveInventory(directory, moment, {
    ...inventory, ...(Object.keys(raw).length > 0 && { raw }), ...(Object.keys(large).length > 0 && { large }),
  }, durable)
  return { tree, ...(head !== undefined && { head }), ...(branch !== undefined && { branch }) }
}

/**
 * Takes the snapshot after the last command of a run that died before it; for one that died in its commit, once more.
 * Files changed after the run's last sign of life count as unchanged since its own last snapshot, and are kept
 * (`keepTrees`).
 *
 * @param isForced the present files count, whoever made them
 * @returns remarks for the user
 */
export async function lookAfterwards(root: string, run: RunRecord, isForced: boolean): Promise<string[]> {
  const { begin: { runId }, directory, operations } = run
  const command = operations.find(({ op }) => op === 'command')
  if (command?.op !== 'command' || command.tree === undefined) return []
  if (!isForced && operations.some(({ op }) => op === 'restoring')) return []
  const known = operations.findLast((operation) => operation.op === 'snapshot')
  let snapshots: TreeSnapshots | undefined
  try {
    const repository = await findRepository(root)
    if (!repository || (!isForced && known && await foundTree(repository, runId) !== undefined)) return []
    snapshots = new TreeSnapshots(repository, runId)
    const found = await lookAt(repository, snapshots, { directory, moment: 'after', durable: true })
    const first = known?.tree ?? command.tree
    const changes = isForced ? [] : await laterChanges(root, run, { repository, first, tree: found.tree })
    const tree = await withBefore(repository, runId, { tree: found.tree, changes })
    if (!isForced) await correctRawCopies(repository, directory, { first: command.tree, last: tree })
    await keepTrees(repository, runId, { before: command.tree, after: tree, found: found.tree })
    // HEAD may have moved since the run's own snapshot, by its commit or by the user.
    addToLog(directory, { ...found, ...known, op: 'snapshot', tree })
    return []
  } catch (error) {
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
    return [unreadable(error)]
  } finally {
    snapshots?.dispose()
  }
}

export function unreadable({ message }: Error): string {
  return `What commands changed cannot be undone or committed: git could not read the tree (${message})`
}
