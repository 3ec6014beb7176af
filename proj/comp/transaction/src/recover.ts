import type { PathGate } from '../../contracts/src/index.js'
import {
  addToLog, captureState, isSameState, mendLog, readRun, resolveStored, RootLock, statesOf, type RunEnd, type RunRecord,
} from '../../journal/src/index.js'
import { commitRun, movedIn, refreshIndex, type CommitRequest } from './commit-run.js'
import { removeGitFiles, removeTemporaries } from './left-behind.js'
import { fileOperations, onDisk, putBack } from './put-back.js'
import { findRepository, type Repository } from './repository.js'
import { findDeadRun } from './run-history.js'
import { createRunId } from './run-id.js'
import { undo } from './undo.js'

export interface RecoverOptions {
  /** Canonical. */
  root: string
  gate: PathGate
  /** Put everything back as it was before the run; otherwise what it did stays, and is committed. */
  restore: boolean
  git: boolean
  waitMs: number
  signal: AbortSignal
}

export interface RecoverOutcome {
  /** The run that was interrupted; absent when there is none. */
  runId?: string
  restored: boolean
  /** Paths the run had changed. */
  paths: string[]
  /** Paths that could not be put back, with the reason. */
  left: { path: string; reason: string }[]
  gitCommit?: string
}

/**
 * Ends a run whose process died: removes what it left half-done, then either keeps what it did, commit included, or
 * puts back what was before. It can be interrupted itself, and done again.
 */
export async function recover(options: RecoverOptions): Promise<RecoverOutcome> {
  const { root, waitMs, signal } = options
  const lock = await RootLock.acquire(root, 'recover', waitMs, signal)
  let committed: RecoverOutcome & { runId: string }
  try {
    const run = findDeadRun(root)
    if (!run) return { restored: false, paths: [], left: [] }
    mendLog(run.directory)
    const repository = options.git ? await findRepository(root) : undefined
    if (repository) await removeGitFiles(repository, run)
    removeTemporaries(root, run)
    settleLast(root, run)
    const settled = readRun(root, run.begin.runId) ?? run
    const recovery = new Recovery(settled, options, repository)
    const commit = await recovery.ownCommit()
    const restores = options.restore || settled.begin.atomic || recovery.isBeingRestored
    if (restores && commit === undefined) return await recovery.restore()
    committed = await recovery.finish(commit)
    if (!options.restore) return committed
  } finally {
    lock.release()
  }
  // It died when all was done but for the bookkeeping: what is in the history is taken back there.
  const undone = await undo({ ...options, runId: createRunId(), target: committed.runId, force: false, durable: false })
  const { left, gitCommit } = undone
  return { ...committed, restored: true, left, ...(gitCommit !== undefined && { gitCommit }) }
}

/** The last change may or may not have been done; in place, it may even be half-done. */
function settleLast(root: string, run: RunRecord): void {
  const last = run.operations.at(-1)
  if (last?.op !== 'set' && last?.op !== 'move') return
  const path = resolveStored(root, last.op === 'set' ? last.path : last.to)
  const now = captureState(path)
  if (last.op === 'move') {
    if (captureState(resolveStored(root, last.from)).kind !== 'absent') addToLog(run.directory, { op: 'failed' })
    return
  }
  if (isSameState(now, last.new)) return
  if (isSameState(now, last.old)) addToLog(run.directory, { op: 'failed' })
}

class Recovery {
  readonly #run: RunRecord
  readonly #options: RecoverOptions
  readonly #repository: Repository | undefined

  constructor(run: RunRecord, options: RecoverOptions, repository: Repository | undefined) {
    this.#run = run
    this.#options = options
    this.#repository = repository
  }

  /** An earlier recovery was cut short. */
  get isBeingRestored(): boolean {
    return this.#run.operations.some(({ op }) => op === 'restoring')
  }

  /** The commit of the run, where it came so far. */
  async ownCommit(): Promise<string | undefined> {
    const head = await this.#ownHead()
    return head?.isSave ? undefined : head?.commit
  }

  async restore(): Promise<RecoverOutcome> {
    const { root, gate } = this.#options
    const run = this.#run
    if (!this.isBeingRestored) addToLog(run.directory, { op: 'restoring' })
    const left = putBack(run, fileOperations(run), { root, gate, restorer: onDisk(), except: new Set() })
    // What was not committed before has been by now: the index has to know.
    if (this.#repository && (await this.#ownHead())?.isSave) await refreshIndex(this.#repository, this.#request())
    this.#end('restored', undefined)
    return { runId: run.begin.runId, restored: true, paths: pathsOf(run), left }
  }

  /** @param committed the commit of the run, where there is one already */
  async finish(committed: string | undefined): Promise<RecoverOutcome & { runId: string }> {
    const paths = pathsOf(this.#run)
    let commit = committed
    if (this.#repository && paths.length > 0) {
      if (committed === undefined) commit = (await commitRun(this.#repository, this.#request())).commit
      else await refreshIndex(this.#repository, this.#request())
    }
    this.#end('done', commit)
    const { runId } = this.#run.begin
    return { runId, restored: false, paths, left: [], ...(commit !== undefined && { gitCommit: commit }) }
  }

  #request(): CommitRequest {
    const { root } = this.#options
    const states = statesOf(this.#run)
    const changed = states.changed().map(({ path, ...rest }) => ({ path: resolveStored(root, path), ...rest }))
    return {
      runId: this.#run.begin.runId, changed, movedDirectories: movedIn(root, states), byCommands: [],
      subject: `interrupted run, ${plural(changed.length)} changed`,
      body: ['The run was interrupted; this is what it had done.'], journal: this.#run.directory, skipHooks: false,
    }
  }

  async #ownHead(): Promise<{ commit: string; isSave: boolean } | undefined> {
    const output = await this.#repository?.try(['log', '-1', '--format=%H%n%B'])
    if (output?.exitCode !== 0) return undefined
    const [commit = '', subject = '', ...body] = output.stdout.toString('utf8').split('\n')
    if (!body.includes(`Hermes-Run: ${this.#run.begin.runId}`)) return undefined
    return { commit, isSave: subject.startsWith('AI: before ') }
  }

  #end(outcome: RunEnd['outcome'], commit: string | undefined): void {
    addToLog(this.#run.directory, {
      op: 'end', endedAt: new Date().toISOString(), blocks: 0, failures: 0, outcome,
      summary: outcome === 'restored' ? 'interrupted, restored' : 'interrupted',
      ...(commit !== undefined && { commit }),
    })
  }
}

function pathsOf(run: RunRecord): string[] {
  return statesOf(run).changed().map(({ path }) => path)
}

function plural(count: number): string {
  return count === 1 ? '1 path' : `${count} paths`
}
