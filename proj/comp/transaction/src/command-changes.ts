import { join } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { captureState, isSameState, sha256, type FileState, type RunRecord } from '../../journal/src/index.js'
import { relative, sep } from 'node:path'
import type { PutBackOptions } from './put-back.js'
import { findRepository, type Repository } from './repository.js'
import { compareTrees, TreeSnapshots, type TreeChange } from './tree-snapshot.js'

/** What the commands of a run changed, known from git's snapshots before the first and after the last of them. */
export class CommandChanges {
  /** The run ran commands, and there is no snapshot to tell what they changed. */
  readonly unknown: boolean
  readonly #repository: Repository | undefined
  readonly #changes: readonly TreeChange[]
  readonly #first: string
  readonly #last: string
  readonly #runId: string

  private constructor(
    known: { repository: Repository; first: string; last: string; changes: readonly TreeChange[] } | undefined,
    runId: string, unknown: boolean,
  ) {
    this.#repository = known?.repository
    this.#changes = known?.changes ?? []
    this.#first = known?.first ?? ''
    this.#last = known?.last ?? ''
    this.#runId = runId
    this.unknown = unknown
  }

  /** @param runId of the new run, for the name of a temporary index */
  static async read(run: RunRecord, runId: string): Promise<CommandChanges> {
    const command = run.operations.find((one) => one.op === 'command')
    if (!command) return new CommandChanges(undefined, runId, false)
    const snapshot = run.operations.find((one) => one.op === 'snapshot')
    const repository = command.tree === undefined ? undefined : await findRepository(join(run.directory, '..', '..', '..'))
    if (!repository || command.tree === undefined || !snapshot) return new CommandChanges(undefined, runId, true)
    const changes = await compareTrees(repository, command.tree, snapshot.tree)
    return new CommandChanges({ repository, first: command.tree, last: snapshot.tree, changes }, runId, false)
  }

  /** Paths as the journal stores them. */
  paths(root: string): Set<string> {
    return new Set(this.#changes.map(({ path }) => this.#stored(root, path)))
  }

  /** Those that are no longer as the run left them. */
  async differing(root: string): Promise<string[]> {
    const repository = this.#repository
    if (!repository || this.#changes.length === 0) return []
    const snapshots = new TreeSnapshots(repository, this.#runId)
    try {
      const now = await compareTrees(repository, this.#last, await snapshots.take())
      const others = new Set(now.map(({ path }) => path))
      return this.#changes.filter(({ path }) => others.has(path)).map(({ path }) => this.#stored(root, path))
    } finally {
      snapshots.dispose()
    }
  }

  /** Brings each path to what it was before the first command. @returns what could not be put back */
  async putBack({ root, gate, restorer, except }: PutBackOptions): Promise<{ path: string; reason: string }[]> {
    const left: { path: string; reason: string }[] = []
    for (const change of this.#changes) {
      const stored = this.#stored(root, change.path)
      if (except.has(stored)) continue
      try {
        const { state, content } = await this.#before(change)
        const path = gate.approve(join(this.#repository!.top, change.path), 'remove')
        if (!isSameState(captureState(path), state)) restorer.restore(path, state, content)
      } catch (error) {
        if (!(error instanceof HermesError) && !isNodeError(error)) throw error
        left.push({ path: stored, reason: error.message })
      }
    }
    return left
  }

  async #before({ path, before }: TreeChange): Promise<{ state: FileState; content?: Uint8Array }> {
    if (!before) return { state: { kind: 'absent' } }
    const isLink = before.mode === '120000'
    // As git would check it out: with line ends and filters.
    const content = await this.#repository!.run(['cat-file', isLink ? 'blob' : '--filters', `${this.#first}:${path}`])
    if (isLink) return { state: { kind: 'link', target: content.toString('base64') } }
    return { state: { kind: 'file', size: content.length, sha256: sha256(content), ...modeOf(before.mode) }, content }
  }

  #stored(root: string, path: string): string {
    const below = relative(root, join(this.#repository?.top ?? root, path))
    return below.startsWith(`..${sep}`) ? join(this.#repository?.top ?? root, path) : below.split(sep).join('/')
  }
}

/** Git knows only whether a file may be executed. */
function modeOf(mode: string): { mode?: number } {
  return mode === '100755' ? { mode: 0o755 } : {}
}
