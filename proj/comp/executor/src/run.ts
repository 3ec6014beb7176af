import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  ActionResult, ExecutionResult, FileChange, HermesEvent, ParsedBlock, ParseError, SkippedBlock, VerbContext,
} from '../../contracts/src/index.js'
import type { ReadEvent } from '../../parsers/src/index.js'
import { summarize, type RunTransaction } from '../../transaction/src/index.js'
import { failure, messageOf } from './failures.js'
import { runBlock, type BlockRun, type RunParts } from './run-block.js'
import { RunLimits } from './run-limits.js'
import type { Begun } from './session.js'

/** How long blocks may run without a turn of the event loop, in milliseconds. */
const TURN_MS = 20

/** One pass over an answer: takes what was read in text order, runs it, and adds up the result (contract section 2). */
export class Run {
  readonly result: ExecutionResult = {
    success: true, totalBlocks: 0, executedActions: 0, results: [], parseErrors: [], skipped: [], durationMs: 0,
  }
  readonly #parts: RunParts
  readonly #context: VerbContext
  readonly #limits: RunLimits
  readonly #transaction: RunTransaction | undefined
  readonly #lateWarnings: Begun['lateWarnings']
  readonly #listener: ((event: HermesEvent) => void) | undefined
  /** Of the session: blocks that run at the moment. */
  readonly #running: Set<Promise<unknown>>
  readonly #startedAt = performance.now()
  #turnAt = performance.now()

  /** @param parts `warnings`: what the user should know before anything runs */
  constructor(parts: RunParts & Pick<Begun, 'warnings' | 'lateWarnings'>, running: Set<Promise<unknown>>, listener?: (event: HermesEvent) => void) {
    this.#parts = parts
    this.#context = parts.context
    this.#limits = new RunLimits(parts.context.limits)
    this.#warn(parts.warnings)
    this.#transaction = parts.transaction
    this.#lateWarnings = parts.lateWarnings
    this.#listener = listener
    if (parts.settings.dryRun) this.result.dryRun = true
    this.#running = running
  }

  /** Handles one thing that was read; yields what happens. */
  async *take(event: ReadEvent): AsyncGenerator<HermesEvent, void> {
    switch (event.type) {
      case 'block':
        this.result.totalBlocks++
        yield* this.#block(event.block)
        return
      case 'failed':
        this.result.totalBlocks++
        for (const error of event.errors) yield this.#parseError(error)
        return
      case 'section-error':
        for (const error of event.errors) yield this.#parseError(error)
        return
      case 'skipped':
        yield this.#skipped(event.block)
        return
      case 'stray-think-end':
        // Nothing live came before it: nothing ran that should not have.
        if (this.result.totalBlocks > 0) yield this.#parseError(event.error)
    }
  }

  /** Nothing can run: every block fails with `CANCELLED`. */
  stop(reason: string): void {
    this.result.success = false
    this.result.fatalError = reason
  }

  /** The answer has ended: commits the run, or puts everything back. */
  async end(): Promise<HermesEvent> {
    await this.#finish()
    this.#warn(this.#lateWarnings())
    // Sections report at their end what began before: text order is by the first line.
    this.result.parseErrors.sort((a, b) => a.startLine - b.startLine)
    this.result.skipped.sort((a, b) => a.startLine - b.startLine)
    this.result.durationMs = elapsed(this.#startedAt)
    return this.#tell({ type: 'end', result: this.result })
  }

  async *#block(block: ParsedBlock): AsyncGenerator<HermesEvent, void> {
    const seq = this.result.results.length + 1
    const { id: blockId, action, params, startLine, endLine } = block
    yield this.#tell({ type: 'block-start', seq, blockId, action, startLine })
    const startedAt = performance.now()
    const changesBefore = this.#context.files.changes.length
    await this.#letOthersRun()
    const { outcome, started, fatalError }: BlockRun = this.#stopped()
      ? { outcome: cancelled(this.result.fatalError), started: false }
      : await this.#start(block, seq)
    if (fatalError !== undefined) this.stop(fatalError)
    if (started) this.result.executedActions++
    const { masker } = this.#parts.settings
    const result: ActionResult = { seq, blockId, action, params: masker.value(params), ...outcome, startLine, endLine, durationMs: elapsed(startedAt) }
    this.result.results.push(result)
    if (!result.success) this.result.success = false
    const changes: FileChange[] = masker.value(this.#context.files.changes.slice(changesBefore))
    yield this.#tell({ type: 'block-end', result, changes })
  }

  async #finish(): Promise<void> {
    const transaction = this.#transaction
    if (!transaction) return
    const { results, parseErrors } = this.result
    const summary = summarize(results, parseErrors.length, this.#parts.settings.rules)
    if (this.#parts.settings.atomic !== false && !this.result.success) {
      const { extent, left, warnings } = await transaction.rollBack(summary, this.#context.gate)
      this.result.rolledBack = extent
      this.#warn(warnings)
      if (left.length > 0) {
        this.stop(`Not everything could be put back: ${left.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`)
      }
      return
    }
    const { gitCommit, fatalError, warnings } = await transaction.finish(summary)
    if (gitCommit !== undefined) this.result.gitCommit = gitCommit
    this.#warn(warnings)
    if (fatalError !== undefined) this.stop(fatalError)
  }

  #warn(warnings: readonly string[]): void {
    if (warnings.length > 0) this.result.warnings = [...this.result.warnings ?? [], ...warnings]
  }

  async #start(block: ParsedBlock, seq: number): Promise<BlockRun> {
    try {
      this.#limits.check(seq)
    } catch (error) {
      return { outcome: failure(error, block), started: false }
    }
    const running = runBlock(block, { ...this.#parts, context: this.#limits.within(this.#context) })
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** File verbs never wait, so that without this no signal or timer would be heard during a long run of them. */
  async #letOthersRun(): Promise<void> {
    if (performance.now() - this.#turnAt < TURN_MS) return
    await nextTurn()
    this.#turnAt = performance.now()
  }

  #stopped(): boolean {
    return this.#context.signal.aborted || this.result.fatalError !== undefined
  }

  #parseError(error: ParseError): HermesEvent {
    const shown = this.#parts.settings.masker.value(error)
    this.result.success = false
    this.result.parseErrors.push(shown)
    return this.#tell({ type: 'parse-error', error: shown })
  }

  #skipped(block: SkippedBlock): HermesEvent {
    this.result.skipped.push(block)
    return this.#tell({ type: 'skipped', block })
  }

  #listenerFailed(error: unknown): void {
    this.stop(`onEvent threw: ${messageOf(error)}`)
  }

  /** A listener that throws stops the run: nobody would see what happens after. */
  #tell(event: HermesEvent): HermesEvent {
    if (!this.#listener || this.result.fatalError !== undefined) return event
    try {
      // A listener may be async all the same: then what it rejects with comes later.
      const returned: unknown = this.#listener(event)
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#listenerFailed(error))
    } catch (error) {
      this.#listenerFailed(error)
    }
    return event
  }
}

function cancelled(fatalError: string | undefined): Pick<ActionResult, 'success' | 'error' | 'code' | 'hint'> {
  return {
    success: false,
    code: 'CANCELLED',
    error: fatalError === undefined ? 'Cancelled before it started' : 'Not started: the run was stopped',
    hint: 'Run the block again.',
  }
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 1000) / 1000
}
