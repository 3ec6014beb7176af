import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import type { RunJournal, RunRecord } from '../../journal/index.js'
import type { LockFile } from '../../../../2-files/src/index.js'
import { CommandChanges } from './command-changes.js'
import type { Moment } from './command-inventory.js'
import { lookAt, unreadable } from './command-watch.js'
import { readStaged } from './git-entries.js'
import { startHeartbeat } from '../heartbeat.js'
import type { Snapshot } from './known-commands.js'
import { keepTrees, toldOfFound } from '../undo/later-work.js'
import { reasonOf } from '../run-refusals.js'
import type { Repository } from '../repository.js'
import { TreeSnapshots } from './tree-snapshot.js'

interface CommandsOptions {
  runId: string
  /** Flush what is recorded about the tree before the first command. */
  durable: boolean
  /** Receives remarks for the user, also the reason why changes of commands are unknown. */
  warnings: string[]
}

/**
 * The commands of one run: takes snapshots of the work tree before the first and after the last, to find out what they
 * changed, and protects these records from them.
 */
export class RunCommands {
  #snapshots: TreeSnapshots | undefined
  #repository: Repository | undefined
  #stopHeartbeat: (() => void) | undefined
  #count = 0
  #isOver = false

  constructor(private readonly options: CommandsOptions) {}

  /** Whether a command was started, not counting refused ones. */
  get haveRun(): boolean {
    return this.#count > 0
  }

  /** Call it before each command; the first time it records what is staged, and the tree. */
  async before(journal: RunJournal, repository: Repository | undefined): Promise<void> {
    const isFirst = !this.haveRun
    if (isFirst && repository) journal.record({ op: 'staged', entries: await readStaged(repository) })
    this.#count++
    if (!isFirst) return
    let snapshot: Snapshot | undefined
    if (repository) {
      this.#snapshots = new TreeSnapshots(repository, this.options.runId)
      this.#repository = repository
      snapshot = await this.#look(journal, 'before')
      if (snapshot === undefined) this.#snapshots = undefined
    }
    journal.record({
      op: 'command', action: 'exec', ...snapshot, ...(repository && { programs: repository.programsDigest() }),
    })
    journal.flush()
    this.#stopHeartbeat = startHeartbeat(journal.directory)
    journal.holdFiles()
  }

  /** The recorded command was refused before it was started: forgets it, so that the next one counts as the first. */
  takeBack(journal: RunJournal): void {
    if (this.#count === 1) {
      // If something was recorded since, such as its process, it may have been started.
      if (!journal.takeBackCommand()) return
      this.dispose()
      this.#stopHeartbeat = undefined
      this.#snapshots = undefined
      this.#repository = undefined
    }
    this.#count--
  }

  /** Call it after each command: if that removed `.hermes`, writes it again. */
  keepJournal(journal: RunJournal | undefined, lock: LockFile | undefined): void {
    const { warnings } = this.options
    try {
      if (!journal?.writeAgain()) return
      lock?.takeAgain()
      warnings.push('A command removed .hermes: what this run needs of it was written again, '
        + 'but earlier runs cannot be undone any more')
    } catch (error) {
      warnings.push(`A command removed .hermes, so this run cannot be undone: ${reasonOf(error)}`)
    }
  }

  /** Call it after the last command: records the tree again. */
  async end(journal: RunJournal): Promise<void> {
    if (this.#isOver || !this.#snapshots) return
    this.#isOver = true
    const snapshot = await this.#look(journal, 'after')
    if (snapshot !== undefined) journal.record({ op: 'snapshot', ...snapshot })
  }

  /** The changes of commands to undo; adds a warning for those that cannot be known. */
  async changesToPutBack(root: string, run: RunRecord): Promise<CommandChanges> {
    const changes = await CommandChanges.read(run, this.options.runId)
    this.options.warnings.push(...changes.notes())
    if (changes.paths(root).size > 0) await this.#keepFound(run)
    return changes
  }

  /** While a command ran, others may have written too: keeps the present files in git before they are restored. */
  async #keepFound({ operations }: RunRecord): Promise<void> {
    const first = operations.find((operation) => operation.op === 'command')
    const last = operations.findLast((operation) => operation.op === 'snapshot')
    if (!this.#repository || first?.tree === undefined || !last) return
    const { runId, warnings } = this.options
    try {
      await keepTrees(this.#repository, runId, { before: first.tree, after: last.tree, found: last.tree })
      warnings.push(toldOfFound(runId))
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      warnings.push(`What was there before it was put back could not be kept: ${error.message}`)
    }
  }

  dispose(): void {
    this.#stopHeartbeat?.()
    this.#snapshots?.dispose()
  }

  async #look({ directory }: RunJournal, moment: Moment): Promise<Snapshot | undefined> {
    if (!this.#repository || !this.#snapshots) return undefined
    const { durable, warnings } = this.options
    try {
      return await lookAt(this.#repository, this.#snapshots, { directory, moment, durable })
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      warnings.push(unreadable(error))
      return undefined
    }
  }
}
