import { join } from 'node:path'
import { caughtLater, HermesError } from '../../../../0-contracts/src/index.js'
import { shownName } from '../../../../0-text/src/index.js'
import { captureState, isSameState, resolveStored, type FileState, type RunRecord } from '../../journal/index.js'
import { modeIn, readInventory, type Inventory, type Moment } from './command-inventory.js'
import { signatureOf } from './large-files.js'
import { compareLooks, isHidden, parentsOf, stateAt, storedPath, type KnownCommands } from './known-commands.js'
import { putBackCommands } from './put-back-commands.js'
import type { PutBackOptions } from '../undo/put-back.js'
import { findRepository } from '../repository.js'
import { compareAll, compareTrees, treeEntries, TreeSnapshots, type TreeChange } from './tree-snapshot.js'

const MOST_NAMED = 5

/** What the commands of a run changed, by comparing the tree before the first and after the last of them. */
export class CommandChanges {
  private constructor(
    private readonly known: KnownCommands | undefined, private readonly runId: string,
    /** The run had commands, and what they changed is unknown. */
    readonly unknown: boolean,
    /** The reason, where there is more to say than that no snapshot was taken. */
    private readonly reason?: string,
  ) {}

  /** @param runId of the new run; names a temporary index */
  static async read({ operations, directory }: RunRecord, runId: string): Promise<CommandChanges> {
    const first = operations.find((operation) => operation.op === 'command')
    if (!first) return new CommandChanges(undefined, runId, false)
    const last = operations.findLast((operation) => operation.op === 'snapshot')
    const before = readInventory(directory, 'before')
    const { tree } = first
    if (tree === undefined || !last || !before) return new CommandChanges(undefined, runId, true)
    return caughtLater(HermesError, async () => {
      const repository = await findRepository(join(directory, '..', '..', '..'))
      if (!repository) return new CommandChanges(undefined, runId, true)
      const looks = { repository, first: { ...first, tree }, last, before, after: readInventory(directory, 'after') }
      return new CommandChanges(await compareLooks(looks), runId, false)
      // Git may have removed snapshots that are some weeks old.
    }, ({ message }) => new CommandChanges(undefined, runId, true, message))
  }

  /** Changed paths, as the journal stores them. */
  paths(root: string): Set<string> {
    const known = this.known
    return new Set(known?.changes.map(({ path }) => storedPath(root, known.repository, path)))
  }

  /** Changed paths that are no longer as the run left them. */
  async differing(root: string): Promise<string[]> {
    const known = this.known
    if (!known || known.changes.length === 0) return []
    const { repository, last } = known
    const snapshots = new TreeSnapshots(repository, this.runId)
    try {
      const others = new Set(
        (await compareTrees(repository, last.tree, await snapshots.take(known.after?.large))).map(({ path }) => path),
      )
      const changed: string[] = []
      for (const { path, before, after } of known.changes) {
        const left = known.after?.large?.[path]
        if (left !== undefined) {
          const now = signatureOf(join(repository.top, path))
          if (now !== undefined && now !== left) changed.push(storedPath(root, repository, path))
          continue
        }
        if (!others.has(path) && known.after?.raw?.[path] === undefined && known.before.raw?.[path] === undefined) {
          continue
        }
        const now = captureState(join(repository.top, path))
        // Git does not keep directories, whose contents have paths of their own, nor pipes and devices.
        if (now.kind === 'directory' && known.after?.directories.includes(`${path}/`)) continue
        if (now.kind === 'other' && known.after?.others.includes(path)) continue
        // Git may only have stopped looking at it, since it is ignored now.
        if (isSameState(now, (await stateAt(known, 'after', path, after)).state)) continue
        // What is as before already needs no decision.
        if (isSameState(now, (await stateAt(known, 'before', path, before)).state)) continue
        changed.push(storedPath(root, repository, path))
      }
      return changed
    } finally {
      snapshots.dispose()
    }
  }

  /**
   * The content of a file before the first command and after the last; what is no file has none.
   *
   * @param stored path as the journal stores it
   * @returns `undefined` where no command changed it, as far as known
   */
  async contents(
    root: string, stored: string,
  ): Promise<[before: Uint8Array | undefined, after: Uint8Array | undefined] | undefined> {
    const known = this.known
    const change = known?.changes.find(({ path }) => storedPath(root, known.repository, path) === stored)
    if (!known || !change) return undefined
    const [before, after] = await Promise.all([
      stateAt(known, 'before', change.path, change.before), stateAt(known, 'after', change.path, change.after),
    ])
    return [before.content, after.content]
  }

  /**
   * The state of paths that commands left the same as before the first of them, although a verb may have changed them
   * and a command changed them back, or the other way round.
   *
   * @param stored paths as the journal stores them
   * @returns empty where it is not known, as for ignored files
   */
  async unchanged(
    root: string, stored: readonly string[],
  ): Promise<Map<string, { state: FileState; content?: Uint8Array }>> {
    const known = this.known
    const states = new Map<string, { state: FileState; content?: Uint8Array }>()
    if (!known || stored.length === 0) return states
    const { repository, last, before, after } = known
    const hidden = new Set(
      [before, ...(after ? [after] : [])].flatMap(({ ignored, others }) => [...ignored, ...others]),
    )
    const changed = new Set(known.changes.map(({ path }) => path))
    const entries = await treeEntries(repository, last.tree)
    for (const name of stored) {
      const path = repository.pathOf(resolveStored(root, name))
      if (path === undefined || changed.has(path) || hidden.has(path)
        || parentsOf(path).some((parent) => hidden.has(`${parent}/`))) continue
      states.set(name, await stateAt(known, 'before', path, entries.get(path)))
    }
    return states
  }

  /**
   * The state in which a verb left a path, with the mode that commands then gave it; git keeps only the executable bit.
   *
   * @param now the present state
   */
  withMode(root: string, stored: string, left: FileState, now: FileState | undefined): FileState {
    const path = this.known?.repository.pathOf(resolveStored(root, stored))
    if (!this.known?.after || path === undefined || left.kind !== 'file' || now?.kind !== 'file') return left
    const { before, after } = this.known
    const hasMode = (inventory: Inventory, mode = 0): boolean => modeIn(inventory, path, (mode & 0o100) !== 0) === mode
    return hasMode(before, left.mode) && hasMode(after, now.mode) ? { ...left, mode: now.mode } : left
  }

  /** Whether a directory existed at one of the two moments; `undefined` where it is not known. */
  hadDirectory(moment: Moment, root: string, stored: string): boolean | undefined {
    const path = this.known?.repository.pathOf(resolveStored(root, stored))
    const hidden = this.known?.hidden
    return path === undefined || !hidden || isHidden(hidden, path) ? undefined
      : this.known?.[moment]?.directories.includes(`${path}/`)
  }

  /** Changed paths whose content before the first command was in no commit, as the journal stores them. */
  async uncommittedBefore(root: string): Promise<string[]> {
    const known = this.known
    if (!known) return []
    return [...await dirtyBefore(known, known.changes)].map((path) => storedPath(root, known.repository, path))
  }

  /**
   * Restores each path to its state before the first command.
   *
   * @returns paths that could not be restored
   */
  async putBack(places: PutBackOptions): Promise<{ path: string; reason: string }[]> {
    return this.known ? putBackCommands(this.known, places) : []
  }

  /** What is unknown or cannot be restored, one line each; empty where no command ran. */
  notes(): string[] {
    if (this.unknown) return ['Commands ran: what they changed is not '
      + `known${this.reason === undefined ? '' : ` (${this.reason})`}, and stays`]
    return this.known ? notesOn(this.known) : []
  }

  /**
   * Divides the changes for a commit: only files that were clean before the first command belong in it.
   *
   * @param byVerbs paths committed anyway, relative to the top of the work tree like the results
   * @returns `made`: those of `clean` that did not exist before
   */
  async clean(byVerbs: ReadonlySet<string>): Promise<{ clean: string[]; made: string[]; dirty: string[] }> {
    const known = this.known
    const changes = known?.changes.filter(({ path }) => !byVerbs.has(path)) ?? []
    if (!known || changes.length === 0) return { clean: [], made: [], dirty: [] }
    const dirty = await dirtyBefore(known, changes)
    const places = new Set([...dirty].flatMap(parentsOf))
    // Of two paths that cannot both be files, one is not committed without the other.
    const isLeft = ({ path }: TreeChange): boolean => (
      dirty.has(path) || places.has(path) || parentsOf(path).some((parent) => dirty.has(parent))
    )
    const clean = changes.filter((change) => !isLeft(change))
    return {
      clean: clean.map(({ path }) => path), made: clean.filter(({ before }) => !before).map(({ path }) => path),
      dirty: changes.filter(isLeft).map(({ path }) => path),
    }
  }
}

async function dirtyBefore({ repository, first }: KnownCommands, changes: readonly TreeChange[]): Promise<Set<string>> {
  if (first.head === undefined) {
    return new Set(changes.filter(({ before }) => before !== undefined).map(({ path }) => path))
  }
  const unclean = new Set((await compareAll(repository, first.head, first.tree)).map(({ path }) => path))
  return new Set(changes.map(({ path }) => path).filter((path) => unclean.has(path)))
}

/** What commands may have done that nobody has seen, and what of the rest cannot be put back: one line each. */
function notesOn({ repository, before, repositories, isHeadMoved, first, last }: KnownCommands): string[] {
  const others = [...new Set([...before.others, ...repositories.map((path) => `${path}/`)])].filter((path) =>
    path.endsWith('/'))
  const ignored = before.ignored.filter((path) => !/(?:^|\/)\.hermes\//.test(path))
  return [
    ...(isHeadMoved ? [`HEAD was moved by a command, from ${short(first.head)} to ${short(last.head)}: that stays, `
      + 'with the files it brought'] : []),
    ...(repositories.length > 0
      ? [`Changed by a command, and not put back since they are repositories of their own: ${named(repositories)}`]
      : []),
    'Commands ran: files are put back as far as git knows them; what commands did '
      + `to ignored files${inBrackets(ignored)}, to submodules and repositories of their own${inBrackets(others)}, `
      + `or outside of ${repository.top} is not known, and stays`,
  ]
}

function short(commit: string | undefined): string {
  return commit?.slice(0, 12) ?? 'no commit'
}

function inBrackets(paths: readonly string[]): string {
  return paths.length === 0 ? '' : ` (${named(paths)})`
}

function named(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED
  return `${paths.slice(0, MOST_NAMED).map(shownName).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
