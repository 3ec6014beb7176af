import { resolveStored, statesOf, type RunRecord } from '../journal/index.js'
import { readInventory } from './commands/command-inventory.js'
import { readTree, type Entry, type GitEntries } from './commands/git-entries.js'
import { isHidden } from './commands/known-commands.js'
import { movedFrom, movedTo, movesIn, type Moves } from './undo/moved-names.js'
import type { Repository } from './repository.js'
import { beforeCommands } from './undo/take-back.js'

/** The state before a run, as far as it differs from what journal, HEAD and index tell at its end. */
export interface RunStart {
  /** Full SHA; `undefined` on an unborn branch. */
  head: string | undefined
  /** For a run with commands: the state before the first of them. */
  commands?: CommandsStart
}

type Entries = ReadonlyMap<string, Entry>

interface CommandsStart {
  /** Git's snapshot before the first command. */
  tree: string
  staged: ReadonlyMap<string, Entry>
  /** Paths that git does not look at; directories end with `/`. */
  ignored: ReadonlySet<string>
  /** Names that verbs had changed before; the journal has their previous state. */
  early: ReadonlySet<string>
  /** Directories that verbs had moved before. */
  moves: Moves
}

/**
 * Reads it from the journal of a run.
 *
 * @returns `undefined` where it is not recorded
 */
export function startOf(repository: Repository, root: string, run: RunRecord): RunStart | undefined {
  const command = run.operations.find(({ op }) => op === 'command')
  if (command?.op !== 'command' || command.tree === undefined) return undefined
  const { head, tree } = command
  const staged = run.operations.findLast(({ op }) => op === 'staged')
  const early = statesOf({ operations: beforeCommands(run) })
  const nameOf = (stored: string): string | undefined => repository.pathOf(resolveStored(root, stored))
  return {
    head,
    commands: {
      tree,
      staged: new Map(
        staged?.op === 'staged' ? staged.entries.map(({ name, mode, object }) => [name, { mode, object }]) : [],
      ),
      ignored: new Set(readInventory(run.directory, 'before')?.ignored),
      early: new Set(early.changed().flatMap(({ path }) => nameOf(path) ?? [])),
      moves: movesIn(early.movedDirectories, nameOf),
    },
  }
}

/** Git's entries, before a run, for the names it changed. */
export class StartEntries {
  private constructor(
    private readonly start: RunStart | undefined, private readonly entries: GitEntries,
    private readonly committed: Entries, private readonly tree: Entries,
  ) {}

  static async read(
    repository: Repository, start: RunStart | undefined, entries: GitEntries, names: readonly string[],
  ): Promise<StartEntries> {
    const isMoved = start !== undefined && start.head !== entries.head
    const { tree, moves = [] } = start?.commands ?? {}
    const read = async (from: string | undefined, wanted: readonly string[]): Promise<Entries> => (
      from === undefined ? new Map() : readTree(repository, from, wanted)
    )
    const [committed, before] = await Promise.all([
      isMoved ? read(start.head, names) : entries.committed, read(tree, names.map((name) => movedTo(name, moves))),
    ])
    return new StartEntries(start, entries, committed, before)
  }

  /** HEAD has another entry now: someone committed the path during the run. */
  isCommittedSince(name: string): boolean {
    const [before, now] = [this.committed.get(name), this.entries.committed.get(name)]
    return before?.object !== now?.object || before?.mode !== now?.mode
  }

  /** The entry that was staged, where it differed from HEAD. */
  staged(name: string): Entry | undefined {
    const commands = this.start?.commands
    return commands ? commands.staged.get(name) : this.entries.staged.get(name)?.after
  }

  /** Whether a verb changed it only after commands ran, so that the journal has what these left. */
  isLate(name: string): boolean {
    const commands = this.start?.commands
    return commands !== undefined && !commands.early.has(name) && movedFrom(name, commands.moves) === name
  }

  /** For late names: the entry on disk before the first command. */
  onDisk(name: string): Entry | undefined {
    return this.tree.get(movedTo(name, this.start?.commands?.moves ?? []))
  }

  /** Whether commands ran and git did not look at it before them. */
  wasIgnored(name: string): boolean {
    const commands = this.start?.commands
    return commands !== undefined && isHidden(commands.ignored, name)
  }
}
