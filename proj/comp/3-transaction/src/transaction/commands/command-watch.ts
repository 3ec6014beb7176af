import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import { addToLog, type RunJournal, type RunRecord } from '../../journal/index.js'
import { readInventory, saveInventory, takeInventory, type Moment } from './command-inventory.js'
import { Heartbeat } from '../heartbeat.js'
import type { Snapshot } from './known-commands.js'
import { foundTree, keepTrees, laterChanges, toldOfFound, withBefore } from '../undo/later-work.js'
import { findRepository, type Repository } from '../repository.js'
import { keepRawCopies, saveRawCopies } from './raw-copies.js'
import { TreeSnapshots } from './tree-snapshot.js'

interface LookOptions {
  /** Directory of the run's journal. */
  directory: string
  moment: Moment
  durable: boolean
}

/**
 * Takes snapshots of a work tree before the first command of a run and after the last, to find out what they changed.
 */
export class CommandWatch {
  readonly #runId: string
  readonly #durable: boolean
  readonly #warnings: string[]
  #snapshots: TreeSnapshots | undefined
  #repository: Repository | undefined
  #heartbeat: Heartbeat | undefined
  #count = 0
  #isOver = false

  /** @param warnings receives the reason why changes of commands are unknown */
  constructor(runId: string, durable: boolean, warnings: string[]) {
    this.#runId = runId
    this.#durable = durable
    this.#warnings = warnings
  }

  /** Whether a command was started, not counting refused ones. */
  get hasRun(): boolean {
    return this.#count > 0
  }

  /** Call it before each command; only the first takes a snapshot. */
  async before(journal: RunJournal, repository: Repository | undefined): Promise<void> {
    this.#count++
    if (this.#count > 1) return
    let snapshot: Snapshot | undefined
    if (repository) {
      this.#snapshots = new TreeSnapshots(repository, this.#runId)
      this.#repository = repository
      snapshot = await this.#look(journal, 'before')
      if (snapshot === undefined) this.#snapshots = undefined
    }
    journal.record({
      op: 'command', action: 'exec', ...snapshot, ...(repository && { programs: repository.programsDigest() }),
    })
    journal.flush()
    this.#heartbeat = new Heartbeat(journal.directory)
  }

  /** Call it after the last command. */
  async after(journal: RunJournal): Promise<void> {
    if (this.#isOver || !this.#snapshots) return
    this.#isOver = true
    const snapshot = await this.#look(journal, 'after')
    if (snapshot !== undefined) journal.record({ op: 'snapshot', ...snapshot })
  }

  /** While a command ran, others may have written too: keeps the present files in git before they are restored. */
  async keepFound({ operations }: RunRecord): Promise<void> {
    const [first, last] = [
      operations.find((one) => one.op === 'command'), operations.findLast((one) => one.op === 'snapshot'),
    ]
    if (!this.#repository || first?.op !== 'command' || first.tree === undefined || last?.op !== 'snapshot') return
    try {
      await keepTrees(this.#repository, this.#runId, { before: first.tree, after: last.tree, found: last.tree })
      this.#warnings.push(toldOfFound(this.#runId))
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#warnings.push(`What was there before it was put back could not be kept: ${error.message}`)
    }
  }

  /** The recorded command was not started: forgets it, so that the next one counts as the first. */
  takeBack(journal: RunJournal): void {
    if (this.#count === 1) {
      // If something was recorded since, such as its process, it may have been started.
      if (!journal.takeBackCommand()) return
      this.dispose()
      this.#heartbeat = undefined
      this.#snapshots = undefined
      this.#repository = undefined
    }
    this.#count--
  }

  dispose(): void {
    this.#heartbeat?.stop()
    this.#snapshots?.dispose()
  }

  async #look({ directory }: RunJournal, moment: Moment): Promise<Snapshot | undefined> {
    if (!this.#repository || !this.#snapshots) return undefined
    try {
      return await lookAt(this.#repository, this.#snapshots, { directory, moment, durable: this.#durable })
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      this.#warnings.push(unreadable(error))
      return undefined
    }
  }
}

/**
 * Takes the snapshot, and saves beside the journal what git leaves out of it.
 *
 * @throws HermesError when git cannot read the whole tree
 */
async function lookAt(
  repository: Repository, snapshots: TreeSnapshots, { directory, moment, durable }: LookOptions,
): Promise<Snapshot> {
  const usual = moment === 'after' ? readInventory(directory, 'before')?.usual : undefined
  const [tree, inventory, head, branch] = await Promise.all([
    snapshots.take(), takeInventory(repository, usual), repository.head(), repository.branch(),
  ])
  const raw = await saveRawCopies(repository, tree)
  const { large } = snapshots
  saveInventory(directory, moment, {
    ...inventory, ...(Object.keys(raw).length > 0 && { raw }), ...(Object.keys(large).length > 0 && { large }),
  }, durable)
  return {
    tree, ...(head !== undefined && { head }), ...(branch !== undefined && { branch }),
  }
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
  const known = operations.findLast((one) => one.op === 'snapshot')
  let snapshots: TreeSnapshots | undefined
  try {
    const repository = await findRepository(root)
    if (!repository || (!isForced && known && await foundTree(repository, runId) !== undefined)) return []
    snapshots = new TreeSnapshots(repository, runId)
    const found = await lookAt(repository, snapshots, { directory, moment: 'after', durable: true })
    const first = known?.tree ?? command.tree
    const changes = isForced ? [] : await laterChanges(root, run, { repository, first, tree: found.tree })
    const tree = await withBefore(repository, runId, { tree: found.tree, changes })
    if (!isForced) await keepRawCopies(repository, directory, { first: command.tree, last: tree })
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

function unreadable({ message }: Error): string {
  return `What commands changed cannot be undone or committed: git could not read the tree (${message})`
}
