import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  tracked, type ActionResult, type FileChange, type HermesError, type HermesEvent, type ParsedBlock, type ParseError,
  type SkippedBlock, type VerbContext,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { createMasker } from '../../../0-text/src/index.js'
import { subjectOf, subjectParams } from '../../../1-reports/src/index.js'
import type { ReadEvent } from '../../../1-reading/src/index.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { failure, messageOf, type Outcome } from './failures.js'
import { CheckedScripts } from './previews/checked-scripts.js'
import { calling } from './handlers/callbacks.js'
import { HooksOfRun } from './hooks-of-run.js'
import { notStarted } from './not-started.js'
import { runBlock } from './run-block.js'
import type { BlockRun, RunParts } from './run-parts.js'
import { isChanging } from './is-changing.js'
import { RunLimits } from './run-limits.js'
import { RunRecord } from './run-record.js'
import type { RanBlock } from './ran-block.js'
import { withReply, type ReplyParts, type RunResult } from './run-result.js'
import { groupFrom, runGroup } from './run-group.js'
import { rowFrom, runRow } from './run-row.js'
import type { Begun } from './begun.js'

type RunEvent = HermesEvent<RunResult>

/** Longest time that blocks run without yielding to the event loop, in milliseconds. */
const TURN_MS = 20

/** Runs one answer: takes what was read in text order, runs it, and adds up the result. */
export class Run {
  readonly result: RunResult
  readonly #record: RunRecord
  readonly #parts: RunParts & Pick<Begun, 'lateWarnings' | 'thrown'>
  readonly #context: VerbContext
  readonly #limits: RunLimits
  readonly #startedAt = performance.now()
  #turnAt = performance.now()
  /** Why the text is not read to its end. */
  #brokenOff: string | undefined
  #isOver = false
  #unreached: HermesError | undefined
  readonly #hooks: HooksOfRun
  readonly #scripts: CheckedScripts | undefined
  #hasBegun = false
  /** Whether a block that may change something was started. */
  #mayHaveChanged = false
  /** Blocks whose turn came; grouped blocks count before their results exist. */
  #attempts = 0

  /**
   * @param parts `warnings`: what the user should know before anything runs
   * @param maxKeptBytes as in `StreamOptions`
   */
  constructor(
    parts: RunParts & Pick<Begun, 'hooks' | 'warnings' | 'lateWarnings' | 'thrown'> & { reply: ReplyParts },
    /** Blocks that the session is running. */
    private readonly running: Set<Promise<unknown>>,
    private readonly listener?: (event: HermesEvent) => unknown,
    maxKeptBytes = Infinity,
  ) {
    const { hooks, settings, transaction, context: { elsewhere } } = parts
    // The language service reads this machine's disk.
    this.#scripts = settings.checks === 'full' && settings.checkMs > 0 && !elsewhere
      ? new CheckedScripts(parts.context.files, settings.checkMs, parts.context.policy.languageServers) : undefined
    this.#context = this.#scripts ? { ...parts.context, files: this.#scripts.files } : parts.context
    this.#parts = { ...parts, context: this.#context }
    this.#record = new RunRecord(maxKeptBytes, parts.settings.rules)
    this.result = withReply(this.#record.result, parts.reply, parts.thrown)
    this.#limits = new RunLimits(parts.context.limits)
    this.#warn(parts.warnings)
    if (parts.settings.dryRun) this.result.dryRun = true
    if (transaction) this.result.runId = parts.context.runId
    this.#hooks = new HooksOfRun({
      hooks, settings, context: this.#context, transaction, running, limits: this.#limits,
    })
  }

  /** Handles one item that was read; yields the events. */
  async *take(event: ReadEvent): AsyncGenerator<RunEvent, void> {
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
      case 'stray-section-end':
        // Without a live block before it, nothing ran that should not have.
        if (this.result.totalBlocks > 0) yield this.#parseError(event.error)
    }
  }

  /** As `take`, for all items available: consecutive blocks are written together where possible. */
  async *takeAll(events: readonly ReadEvent[]): AsyncGenerator<RunEvent, void> {
    const { transaction } = this.#parts
    const attempt = (block: ParsedBlock, parts: RunParts): Promise<BlockRun> => this.#attempt(block, parts)
    for (let at = 0; at < events.length;) {
      const row = await rowFrom(events, at, this.#parts)
      const group = row.length > 1 ? [] : await groupFrom(events, at, this.#parts)
      if (row.length > 1) yield* this.#together(row, (parts) => runRow(row, parts, attempt))
      else if (transaction && group.length > 1) yield* this.#together(group, (parts) =>
        runGroup(group, parts, transaction, attempt))
      else {
        const event = events[at]
        if (event) yield* this.take(event)
      }
      at += Math.max(1, row.length, group.length)
    }
  }

  /** Records in result and journal which extensions changed the answer. */
  noteRewrites({ rewrites, warnings }: PreparedAnswer): void {
    this.#warn(warnings)
    if (rewrites.length === 0) return
    this.result.rewrites = rewrites
    this.#parts.transaction?.noteRewrites(createMasker({}, { shapes: true }).value(rewrites))
  }

  /** Stops the run because the remote host cannot be reached: every block fails with that error. */
  stopUnreached(problem: HermesError): void {
    this.#unreached = problem
    this.stop(problem.message)
  }

  /** Stops the run: every later block fails with `CANCELLED`. */
  stop(reason: string): void {
    this.result.success = false
    this.result.fatalError = reason
  }

  /** Whether no further block can run. */
  get isStopped(): boolean {
    return this.result.fatalError !== undefined
  }

  /** Reads no more of the text: items that were read and not started never run. */
  breakOff(reason: string): void {
    this.#brokenOff ??= reason
  }

  /** Ends a run that its caller left early; does nothing where it has ended. */
  async leave(): Promise<void> {
    if (this.#isOver) return
    this.breakOff('The stream was left before its end')
    await this.end()
  }

  /** Ends the run: commits it, or rolls it back. */
  async end(): Promise<RunEvent> {
    this.#isOver = true
    if (this.#brokenOff !== undefined && this.result.fatalError === undefined) this.stop(this.#brokenOff)
    await this.#finish()
    this.#warn(this.#parts.lateWarnings())
    this.#hooks.tell(this.result)
    this.#record.sort()
    this.result.durationMs = elapsed(this.#startedAt)
    return this.#tell({ type: 'end', result: this.result })
  }

  /**
   * Runs hooks after the last block: first those for written files, then those after the run. Runs none where the run
   * was stopped, changed nothing, or is rolled back.
   */
  async *afterBlocks(): AsyncGenerator<RunEvent, void> {
    const isPutBack = this.#parts.settings.atomic !== false && !this.result.success
    if (!this.#mayHaveChanged || isPutBack) return
    for (const moment of ['after_write', 'after'] as const) {
      if (this.#stopped()) return
      for await (const event of this.#hooks.run(moment)) yield this.#tell(event)
      // After hooks that correct what was written (formatters), and before those that take long.
      if (moment === 'after_write') await this.#check()
    }
    if (this.#hooks.failure !== undefined) this.result.success = false
  }

  async #check(): Promise<void> {
    const { masker } = this.#parts.settings
    this.#warn(await this.#scripts?.tell(this.result, this.#context, (value) => masker.value(value)) ?? [])
  }

  /** Runs the hooks before the first block. Where one fails, no block runs. */
  async *#begin(): AsyncGenerator<RunEvent, void> {
    if (this.#hasBegun || this.#stopped()) return
    this.#hasBegun = true
    for await (const event of this.#hooks.run('before')) yield this.#tell(event)
    const { failure: reason } = this.#hooks
    if (reason !== undefined) this.stop(`Nothing was run: ${reason}`)
  }

  async *#block(block: ParsedBlock): AsyncGenerator<RunEvent, void> {
    yield* this.#begin()
    yield this.#started(block)
    const startedAt = performance.now()
    const changesBefore = this.#context.files.changes.length
    const run = await this.#attempt(block, this.#parts)
    const changes = this.#context.files.changes.slice(changesBefore)
    this.#hooks.add(changes, [{ blockId: block.id, seq: this.#record.nextSeq }])
    yield this.#ended(block, run, elapsed(startedAt), changes)
  }

  /** Runs grouped blocks; their events come only when their files are written. */
  async *#together(
    blocks: readonly ParsedBlock[], work: (parts: RunParts) => Promise<RanBlock[]>,
  ): AsyncGenerator<RunEvent, void> {
    this.result.totalBlocks += blocks.length
    yield* this.#begin()
    for (const { block, run, durationMs, changes, written } of await work(this.#parts)) {
      this.#hooks.add(written, [{ blockId: block.id, seq: this.#record.nextSeq }])
      yield this.#started(block)
      yield this.#ended(block, run, durationMs, changes)
    }
  }

  async #attempt(block: ParsedBlock, parts: RunParts): Promise<BlockRun> {
    const seq = ++this.#attempts
    await this.#letOthersRun()
    const run: BlockRun = this.#stopped()
      ? { outcome: this.#refusal(), started: false }
      : await this.#start(block, seq, parts)
    if (run.fatalError !== undefined) this.stop(run.fatalError)
    if (isChanging(run, this.#context.dryRun)) this.#mayHaveChanged = true
    return run
  }

  #refusal(): Outcome {
    const fatalError = this.result.fatalError ?? (this.#context.signal.aborted ? undefined : this.#brokenOff)
    return notStarted(this.#hooks.failure, fatalError, this.#unreached)
  }

  #started({ id: blockId, action, params, startLine }: ParsedBlock): RunEvent {
    const { masker, rules: { root, rootAliases } } = this.#parts.settings
    const subject = subjectOf(masker.value(subjectParams(params)), [root, ...rootAliases])
    return this.#tell({
      type: 'block-start', seq: this.#record.nextSeq, blockId, action, startLine, ...(subject !== '' && { subject }),
    })
  }

  #ended(
    block: ParsedBlock, { outcome, started, ranAs, version }: BlockRun, durationMs: number,
    changes: readonly FileChange[],
  ): RunEvent {
    const { id: blockId, action, params, startLine, endLine } = block
    const { masker } = this.#parts.settings
    const seq = this.#record.nextSeq
    if (started) this.result.executedActions++
    const result: ActionResult = {
      seq, blockId, action, params: masker.value(params), ...(ranAs && { ranAs: masker.value([...ranAs]) }),
      ...(version !== undefined && { verbVersion: version }), ...outcome, startLine, endLine, durationMs,
    }
    this.#record.addResult(result)
    this.#scripts?.wrote(changes, seq)
    return this.#tell({ type: 'block-end', result, changes: masker.value(changes) })
  }

  async #finish(): Promise<void> {
    const { transaction } = this.#parts
    if (!transaction) return
    const summary = this.#record.summary()
    if (this.#parts.settings.atomic !== false && !this.result.success) {
      const { session: { root } } = this.#context
      // A command may have changed files that are closed to verbs.
      const gate = createPathGate({ root, allow: this.#parts.settings.allow, forUser: true })
      const { extent, left, warnings } = await transaction.rollBack(summary, gate)
      this.result.rolledBack = extent
      this.#warn(warnings)
      if (left.length > 0) {
        this.stop('Not everything could be put back: '
          + `${left.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`)
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

  async #start(block: ParsedBlock, seq: number, parts: RunParts): Promise<BlockRun> {
    const refusal = parts.settings.refuse?.(block)
    if (refusal) return { outcome: { success: false, ...refusal }, started: false }
    try {
      this.#limits.check(seq)
    } catch (error) {
      return { outcome: failure(error, block), started: false }
    }
    return tracked(this.running, runBlock(block, { ...parts, context: this.#limits.within(parts.context) }))
  }

  /**
   * Yields to the event loop now and then: file verbs never wait, so no signal or timer would fire during a long run of
   * them.
   */
  async #letOthersRun(): Promise<void> {
    if (performance.now() - this.#turnAt < TURN_MS) return
    await nextTurn()
    this.#turnAt = performance.now()
  }

  #stopped(): boolean {
    return this.#context.signal.aborted || (this.result.fatalError ?? this.#brokenOff) !== undefined
  }

  #parseError(error: ParseError): RunEvent {
    const shown = withoutMaskedFix(error, this.#parts.settings.masker.value(error))
    this.#record.addParseError(shown)
    return this.#tell({ type: 'parse-error', error: shown })
  }

  #skipped(block: SkippedBlock): RunEvent {
    this.#record.addSkipped(block)
    return this.#tell({ type: 'skipped', block })
  }

  /** Reports an event. A listener that throws stops the run: nobody would see what happens after. */
  #tell(event: RunEvent): RunEvent {
    const { fatalError } = this.result
    if (fatalError !== undefined && fatalError !== this.#brokenOff) return event
    const { listener } = this
    // It may be async, though it should not: nobody waits for it.
    void calling(() => listener?.(event), (error) => {
      this.#parts.thrown.push({ callback: 'onEvent', error })
      this.stop(`onEvent threw: ${messageOf(error)}`)
      return undefined
    })
    return event
  }
}

/** A fix with a secret masked in it would write the mask into the block. */
function withoutMaskedFix(error: ParseError, masked: ParseError): ParseError {
  if (masked.error.fix === undefined || masked.error.fix.text === error.error.fix?.text) return masked
  const { fix: _, ...rest } = masked.error
  return { ...masked, error: rest }
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 1000) / 1000
}
