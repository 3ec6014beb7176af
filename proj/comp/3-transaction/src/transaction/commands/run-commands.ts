import type { RunJournal, RunRecord } from '../../journal/index.js'
import type { LockFile } from '../../../../2-files/src/index.js'
import { CommandChanges } from './command-changes.js'
import { CommandWatch } from './command-watch.js'
import { readStaged } from './git-entries.js'
import { reasonOf } from '../run-refusals.js'
import type { Repository } from '../repository.js'

interface CommandsOptions {
  runId: string
  /** Flush what is noted of the tree before the first command. */
  durable: boolean
  /** Takes what the user should know. */
  warnings: string[]
}

/** The commands of one run: what is noted so that their changes are known, and what they may do to the notes. */
export class RunCommands {
  readonly #runId: string
  readonly #warnings: string[]
  readonly #watch: CommandWatch

  constructor({ runId, durable, warnings }: CommandsOptions) {
    this.#runId = runId
    this.#warnings = warnings
    this.#watch = new CommandWatch(runId, durable, warnings)
  }

  /** A command was begun, and not refused before it started. */
  get haveRun(): boolean {
    return this.#watch.hasRun
  }

  /** Before each command. What is staged, and the tree, are noted before the first. */
  async before(journal: RunJournal, repository: Repository | undefined): Promise<void> {
    const isFirst = !this.haveRun
    if (isFirst && repository) journal.record({ op: 'staged', entries: await readStaged(repository) })
    await this.#watch.before(journal, repository)
    if (isFirst) journal.holdFiles()
  }

  /** The command just begun was refused before anything of it was started. */
  takeBack(journal: RunJournal): void {
    this.#watch.takeBack(journal)
  }

  /** After each command: it may have removed `.hermes`, which is then made again. */
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

  /** After the last command: the tree is noted again. */
  async end(journal: RunJournal): Promise<void> {
    await this.#watch.after(journal)
  }

  /** What they changed, to be taken back; what of it nobody can know goes to the warnings. */
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
