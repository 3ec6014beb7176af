import { lstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { caughtLater, orNothing } from '../../../../0-contracts/src/index.js'
import { valueAt } from '../../../../0-text/src/index.js'
import { closing, diskPath, realPath } from '../../../../2-files/src/index.js'
import { FilterFailed } from '../../../../2-git/src/index.js'
import {
  captureInTurns, isSameState, readSaved, savedContent, SavedContent, type FileState,
} from '../../journal/index.js'
import type { Candidate } from './commit-paths.js'
import type { CommitRequest } from './commit-request.js'
import type { Entry, GitEntries } from '../commands/git-entries.js'
import type { Repository } from '../repository.js'
import type { StartEntries } from '../run-start.js'
import type { SavedBlobs } from './saved-blobs.js'

/** More is not handed to git in memory. */
const MOST_INPUT_BYTES = 64 * 1024 * 1024

interface Found {
  names: readonly string[]
  candidates: ReadonlyMap<string, Candidate>
  entries: GitEntries
  start: StartEntries
  blobs: SavedBlobs
}

type Entries = Map<string, Entry | undefined>

const NOTHING = new Uint8Array()
/** Git processes at a time. */
const AT_ONCE = 4

/** Decides what goes into which commit of a run. */
export class CommitPlan {
  /** Names that go into the commit of the run. */
  readonly names: string[] = []
  /**
   * Entries that were staged and neither in HEAD nor on disk before the run; without a commit of their own they would
   * be lost.
   */
  readonly staged: Entries = new Map()
  /** Entries on disk before the run that are not in HEAD. */
  readonly before: Entries = new Map()
  /** Absolute paths left out because of `CommitRequest.reversal`. */
  readonly uncommitted: string[] = []
  /** Names left out because git was told not to look at them. */
  readonly unwatched: string[] = []
  /** Absolute paths changed by someone else since the run wrote them; complete once `content` returns. */
  readonly others: string[] = []
  /** Names left out because their filter failed or may not run. */
  readonly filtered = new Map<string, FilterFailed>()

  private constructor(
    private readonly repository: Repository, private readonly request: CommitRequest, private readonly inventory: Found,
  ) {}

  static async make(repository: Repository, request: CommitRequest, inventory: Found): Promise<CommitPlan> {
    const plan = new CommitPlan(repository, request, inventory)
    const works = new Map<string, Entry | undefined>()
    await inTurns(inventory.names, (name) => plan.#orFiltered(name, async () => {
      works.set(name, await plan.#workEntry(name))
    }))
    const left = new Set<string>()
    for (const name of inventory.names) {
      const isIn = works.has(name)
        && await plan.#orFiltered(name, () => plan.#judge(name, works.get(name), left))
      if (isIn !== true) left.add(name)
    }
    return plan
  }

  /** Names where the run left a file or link; `content` checks whether they are still as the run left them. */
  present(): string[] {
    const isRemoved = removedFrom(this.repository.top)
    return this.names.filter((name) => {
      const kind = this.inventory.candidates.get(name)?.after.kind
      return kind === undefined ? !isRemoved(name) : kind === 'file' || kind === 'link'
    })
  }

  /**
   * The content that the run left, even where someone else has changed the file since: entries to set, and names to add
   * from disk.
   */
  async content(): Promise<{ set: Entries; add: string[]; skipped: string[] }> {
    const set: Entries = new Map()
    const add: string[] = []
    const isRemoved = removedFrom(this.repository.top)
    const leftOut = this.request.reversal?.leftOut
    await inTurns(this.names, async (name) => {
      const candidate = this.inventory.candidates.get(name)
      const isLeft = candidate === undefined || !isSaved(candidate.after)
        || isSameState(await captureInTurns(candidate.path), candidate.after)
      if (!isLeft) {
        this.others.push(candidate.path)
        await this.#orFiltered(name, async () => set.set(name, await this.#entryOf(name, candidate.after, [])))
      } else if (isRemoved(name)) set.set(name, leftOut?.get(name))
      else add.push(name)
    })
    return { set, add, skipped: [...set].flatMap(([name, entry]) => (entry && leftOut?.has(name) ? [name] : [])) }
  }

  /** @returns `undefined` where the file's filter prevents it, which is noted */
  async #orFiltered<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
    return await caughtLater(FilterFailed, act, (error) => {
      this.filtered.set(name, error)
      return undefined
    })
  }

  /** @returns whether it goes into the commit of the run */
  async #judge(name: string, work: Entry | undefined, left: ReadonlySet<string>): Promise<boolean> {
    const { candidates, entries: { committed, unwatched }, start, blobs } = this.inventory
    const candidate = candidates.get(name)
    const head = committed.get(name)
    if (head?.mode === '160000') return false
    // Otherwise a missing file would be taken for one that a sparse checkout leaves out.
    const isMade = candidate ? candidate.before.kind === 'absent' : this.request.madeByCommands.has(name)
    if (unwatched.has(name) && (this.request.reversal || !isMade)) {
      this.unwatched.push(name)
      return false
    }
    const index = start.staged(name)
    const isStaged = index !== undefined && index.object !== blobs.idOfContent(NOTHING) && !isSame(index, work)
      && !isSame(index, head)
    if (this.request.reversal) {
      const isHeld = candidate !== undefined && this.request.reversal.uncommitted.has(candidate.path)
      const isOriginLeft = candidate?.origin !== undefined && left.has(candidate.origin)
      if (isHeld || isOriginLeft || isStaged || !isSame(work, head)) {
        if (candidate && !isSame(await this.#entryOf(name, candidate.after, [head]), head)) {
          this.uncommitted.push(candidate.path)
        }
        return false
      }
    } else if (!start.isCommittedSince(name)) {
      // Otherwise it would revert what was committed during the run.
      if (isStaged) this.staged.set(name, index)
      if (!isSame(work, head)) this.before.set(name, work)
    }
    this.names.push(name)
    return true
  }

  /** The entry on disk before the run; files outside a sparse checkout count as there. */
  async #workEntry(name: string): Promise<Entry | undefined> {
    const { candidates, entries: { committed, unwatched }, start } = this.inventory
    const candidate = candidates.get(name)
    const head = committed.get(name)
    if (!candidate || (unwatched.has(name) && candidate.before.kind === 'absent')) return head
    if (!this.request.reversal && start.isLate(name)) return start.onDisk(name)
    return this.#entryOf(name, candidate.before, [head, start.staged(name)], candidate.source)
  }

  /** The mode git would record: not every file system supports links and executable bits. */
  async #modeOf(name: string, state: FileState & { kind: 'file' | 'link' }): Promise<string> {
    if (state.kind === 'link') return '120000'
    const mode = ((state.mode ?? 0) & 0o100) === 0 ? '100644' : '100755'
    const { staged, committed } = this.inventory.entries
    const known = (staged.get(name)?.after ?? committed.get(name))?.mode
    if (mode === (known ?? '100644')) return mode
    const trusted = await this.repository.trusted()
    if (known === '120000') return trusted.links ? mode : known
    return trusted.modes ? mode : known ?? '100644'
  }

  /**
   * The entry git would make; `undefined` for what git does not track. Writes the content to git unless it is among
   * `known`.
   */
  async #entryOf(
    name: string, state: FileState, known: readonly (Entry | undefined)[], source?: string,
  ): Promise<Entry | undefined> {
    if (state.kind !== 'file' && state.kind !== 'link') return undefined
    const mode = await this.#modeOf(name, state)
    const input = (): Uint8Array => {
      if (state.kind === 'link') return Buffer.from(state.target, 'base64')
      return isSaved(state) ? readSaved(this.request.journal, state)
        : readFileSync(diskPath(source ?? join(this.repository.top, name)))
    }
    const isLarge = state.kind === 'file' && state.size > MOST_INPUT_BYTES
    const { blobs } = this.inventory
    const object = blobs.idOf(state) ?? (isLarge ? undefined : blobs.idOfContent(input()))
    if (object !== undefined && known.some((entry) => entry !== undefined && isSame(entry, { mode, object }))) {
      return { mode, object }
    }
    if (isLarge) {
      const file = source ?? join(this.repository.top, name)
      return { mode, object: await writeLargeBlob(this.repository, this.request, name, state, file) }
    }
    // With the attributes of its name: line endings and filters.
    const how = state.kind === 'link' ? ['--no-filters'] : ['--path', name]
    const output = await this.repository.run(['hash-object', '-w', '--stdin', ...how], { input: input() })
    return { mode, object: output.toString('utf8').trim() }
  }
}

function isSaved(state: FileState): boolean {
  return state.kind !== 'file' || state.at !== undefined
}

function isSame(left: Entry | undefined, right: Entry | undefined): boolean {
  return left?.mode === right?.mode && left?.object === right?.object
}

/** Tests whether git finds no file at a name; what is behind a link does not count. */
export function removedFrom(top: string): (name: string) => boolean {
  const directories = new Map<string, boolean>()
  const isPlain = (directory: string): boolean => valueAt(directories, directory, () => isRealDirectory(directory))
  return (name) => {
    const path = join(top, name)
    if (!isPlain(dirname(path))) return true
    const stats = lstatSync(diskPath(path), { throwIfNoEntry: false })
    return !stats || (!stats.isFile() && !stats.isSymbolicLink())
  }
}

function isRealDirectory(directory: string): boolean {
  return orNothing(() => realPath(directory) === directory && lstatSync(diskPath(directory)).isDirectory(), false)
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const item of rest) await act(item)
  }))
}

type Request = Pick<CommitRequest, 'journal' | 'runId'>

/**
 * Writes a large file, as it was before the run, to git with the filters of its name.
 *
 * @param file where it is on disk, if the journal does not have it
 * @returns the id of the blob
 */
async function writeLargeBlob(
  repository: Repository, { journal, runId }: Request, name: string, state: FileState & { kind: 'file' }, file: string,
): Promise<string> {
  const hash = async (source: string): Promise<string> => (
    await repository.run(['hash-object', '-w', '--path', name, '--', source])
  ).toString('utf8').trim()
  const content = state.at === undefined ? undefined : savedContent(journal, state)
  if (!(content instanceof SavedContent)) return hash(file)
  // By its name recovery knows it as the run's.
  const copy = join(repository.gitDirectory, `hermes-blob-${runId}-${state.sha256.slice(0, 16)}`)
  try {
    closing(openSync(copy, 'w', 0o600), (fd) => content.fill(fd))
    return await hash(copy)
  } finally {
    rmSync(copy, { force: true })
  }
}
