import type { RunJournal, RunRecord } from '../../journal/index.js'
import type { LockFile } from '../../../../2-files/src/index.js'
import { CommandChanges } from './command-changes.js'
import { CommandWatch } from './command-watch.js'
import { readStaged } from './git-entries.js'
import { reasonOf } from '../run-refusals.js'
import type { Repository } from '../repository.js'

interface CommandsOptions {
  runId: string
  /** Flush what is recorded about the tree before the first command. */
  durable: boolean
  /** Receives remarks for the user. */
  warnings: string[]
}

/** The commands of one run: records what is needed to know their changes, and protects these records from them. */
export class RunCommands {
  readonly #runId: string
  readonly #warnings: string[]
  readonly #watch: CommandWatch

  constructor({ runId, durable, warnings }: CommandsOptions) {
    this.#runId = runId
    this.#warnings = warnings
    this.#watch = new CommandWatch(runId, durable, warnings)
  }

  /** Whether a command was started, not counting refused ones. */
  get haveRun(): boolean {
    return this.#watch.hasRun
  }

  /** Call it before each command; the first time it records what is staged, and the tree. */
  async before(journal: RunJournal, repository: Repository | undefined): Promise<void> {
    const isFirst = !this.haveRun
    if (isFirst && repository) journal.record({ op: 'staged', entries: await readStaged(repository) })
    await this.#watch.before(journal, repository)
    if (isFirst) journal.holdFiles()
  }

  /** The last command was refused before it was started. */
  takeBack(journal: RunJournal): void {
    this.#watch.takeBack(journal)
  }

  /** Call it after each command: if that removed `.hermes`, writes it again. */
  keepJournal(journal: RunJournal | undefined, lock: LockFile | undefined): void {
    try {
      if (!journal?.writeAgain()) return
      lock?.takeAgain()
      this.#warnings.push('A command removed .hermes: what this run needs of it was written again, '
        + 'but earlier runs cannot be undone any more')
    } catch (error) {
      this.#warnings.push(`A command removed .hermes, so this run cannot be undone: ${reasonOf(error)}`)
    }
  }

  /** Call it after the last command: records the tree again. */
  async end(journal: RunJournal): Promise<void> {
    await this.#watch.after(journal)
  }

  /** The changes of commands to undo; adds a warning for those that cannot be known. */
  async changesToPutBack(root: string, run: RunRecord): Promise<CommandChanges> {
    const changes = await CommandChanges.read(run, this.#runId)
    this.#warnings.push(...changes.notes())
    if (changes.paths(root).size > 0) await this.#watch.keepFound(run)
    return changes
  }

  dispose(): void {
    this.#watch.dispose()
  }
}
