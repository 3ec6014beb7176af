/// <reference lib="esnext.disposable" preserve="true" />
import {
  HermesError, isRecord, type AnyVerb, type ExecutionResult, type HermesEvent, type ModelResponse, type PathGate,
  type Policy, type StreamOptions,
} from '../../../0-contracts/src/index.js'
import {
  outcomeOf, readCallEvents, readEvents, readFunctionCall, readResponseEvents, type FunctionCall, type ReadEvent,
} from '../../../1-reading/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { callText, type ShownResult } from './call-text.js'
import type { ContextPrompt } from '../model-context/index.js'
import { callableVerbs } from './callable-verbs.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { UndoOutcome } from '../../../3-transaction/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import {
  createSeenContents, DEFAULT_CALL_TOKENS, type CallText, type ReplyOptions,
} from '../../../1-reports/src/index.js'
import { messageOf, orError } from './failures.js'
import { requireFilesHere } from './place/only-here.js'
import { rewrittenEvents } from './rewritten-events.js'
import { Run } from './run.js'
import { withReply, type RunResult } from './run-result.js'
import { Session } from './session.js'
import type { PrepareOptions } from './session-extensions.js'
import { readMaxKeptBytes } from './option-schemas.js'
import { alsoReading, type ExecutorOptions, type RunOptions, type Settings } from './settings.js'
import { StreamReader } from './stream-reader.js'
import type { TakeBackOptions } from './place/take-back-run.js'
import { VerbExecutor } from './verb-executor.js'
import { TextPieces, type TextSource } from './text-pieces.js'

const NO_TEXT = new HermesError('INVALID_OPTION', 'Extensions work on texts, and this answer is a response', {
  hint: 'Give the text of the answer, or a session without extensions. Nothing was run.',
})

/** A session: it keeps its root, working context and verb registry between calls. */
export class Hermes implements AsyncDisposable {
  /** Verbs may be added until they are first used. */
  readonly registry: VerbRegistry
  readonly #session: Session

  /** @throws HermesError `INVALID_OPTION` */
  constructor(private readonly options: ExecutorOptions = {}) {
    this.#session = new Session(options)
    this.registry = this.#session.registry
  }

  /**
   * Runs every live block of an answer. Never rejects because of anything in `answer`.
   *
   * @param answer a text, or the response that `readResponse` found in one: its texts and calls, in order
   */
  async execute(answer: string | ModelResponse, options: RunOptions = {}): Promise<RunResult> {
    if (options.prepared instanceof HermesError) return this.#failed(options.prepared)
    if (isResponse(answer)) {
      if (!options.prepared && this.#session.settings.extensions.length > 0) return this.#failed(NO_TEXT)
      return this.#runWhole((settings) => readResponseEvents(answer, settings), options)
    }
    requireString(answer)
    const prepared = options.prepared ?? await this.#prepared(answer, options.signal)
    if (prepared instanceof HermesError) return this.#failed(prepared)
    const { text } = prepared ?? { text: answer }
    return this.#runWhole((settings) => readEvents(text, settings), { ...options, ...(prepared && { prepared }) }, text)
  }

  /**
   * Runs an answer while its text still arrives: each block runs as soon as its end is known, and the next chunk is
   * requested when the block is done. Text before a stray closing think tag has run by then; that is reported as
   * `STRAY_THINK_END`.
   *
   * The last event is `end`, also where the source fails (its error is thrown after it) or the signal is aborted: then
   * `fatalError` says why the text was not read to its end. If the caller leaves early, the run ends as well: what has
   * run is committed, or rolled back with `atomic`.
   *
   * @throws HermesError `INVALID_OPTION`, `NOT_TEXT` for bytes that are not UTF-8; what the source throws
   */
  async *stream(
    chunks: TextSource, { signal: own, endWhenStopped = false, readResponse, ...options }: StreamOptions = {},
  ): AsyncGenerator<HermesEvent<RunResult>, void> {
    const maxKeptBytes = readMaxKeptBytes(options)
    const { run, signal, release } = await this.#run(maxKeptBytes, {
      signal: own, taskId: options.taskId, ...(options.runId !== undefined && { runId: options.runId }),
    })
    const whole = this.#session.settings.extensions.length > 0
    const pieces = new TextPieces(chunks, signal)
    const reader = new StreamReader(this.#session.settings, readResponse)
    try {
      let failure: { error: unknown } | undefined
      let held = ''
      const isLeft = (): boolean => endWhenStopped && run.isStopped
      while (!isLeft()) {
        const piece = await pieces.next().catch((error: unknown) => {
          failure = { error }
          return undefined
        })
        if (piece === undefined) break
        if (whole) held += piece
        else yield* run.takeAll(this.#rewritten(reader.read(piece)))
      }
      if (failure) {
        const { error } = failure
        run.breakOff(`The text broke off: ${error instanceof HermesError ? error.message : messageOf(error)}`)
      } else if (!pieces.ended && !isLeft()) run.breakOff('Cancelled before the text had ended')
      if (whole && pieces.ended) {
        const prepared = await this.#prepared(held, signal)
        if (prepared instanceof HermesError) run.stop(reasonWithHint(prepared))
        else if (prepared) {
          run.noteRewrites(prepared)
          yield* run.takeAll(this.#rewritten(reader.read(prepared.text)))
        }
      }
      // Read the unfinished block only if the source ended: one that is open because the caller left was not cut off by
      // its author.
      if (!isLeft() || pieces.ended) yield* run.takeAll(this.#rewritten(await reader.end()))
      yield* run.afterBlocks()
      yield await run.end()
      if (failure) throw failure.error
    } finally {
      // End the run first: a source may be slow to stop.
      await run.leave().finally(() => {
        release()
        return pieces.release()
      })
    }
  }

  /**
   * Undoes a run, as `hermes undo` does: restores every file to its state before, by a run of its own.
   *
   * @param runId id of a run, or its beginning. Default: the last run in the root that is not undone, whoever made it,
   * with the others of its unit
   * @throws HermesError `NOTHING_TO_UNDO`; `CHANGED_ON_DISK` where files were changed since, unless `force`; `LOCKED`
   * while another run works in the root (`waitMs`); `INTERRUPTED_RUN`, `UNTRUSTED_JOURNAL`, `POLICY_DENIED`;
   * `INVALID_OPTION` in a dry run
   */
  async undo(runId?: string, options: TakeBackOptions = {}): Promise<UndoOutcome> {
    return this.#session.takeBack({ ...options, kind: 'undo', target: runId })
  }

  /** Repeats the run that was undone last, as long as no other run came after it. @throws as `undo` */
  async redo(options: TakeBackOptions = {}): Promise<UndoOutcome> {
    return this.#session.takeBack({ ...options, kind: 'redo' })
  }

  /** Kills the session's running processes, and waits until they have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.dispose()
  }

  /**
   * Runs calls that came over a function-calling interface, as one run: in order, each on its own. Never rejects for
   * what a model wrote.
   *
   * @returns call N stands on line N: it has a result there, or a parse error
   */
  async call(calls: readonly FunctionCall[], options: RunOptions = {}): Promise<RunResult> {
    return this.#runWhole(() => calls.map((call, index) => readFunctionCall(call, index + 1)), options)
  }

  /**
   * @internal As `gate`. Runs the calls in a text (`<tool_call>` and other call dialects of models) and ignores its
   * blocks: in an answer by function calling, only calls ask for something.
   */
  async executeCalls(text: string, options: RunOptions = {}): Promise<RunResult> {
    return this.#runWhole((settings) => readCallEvents(text, settings), options, text)
  }

  /**
   * Applies the session's `extensions` to an answer, for callers that show it before it runs: then
   * `execute(prepared.text, { prepared })` runs exactly that text.
   *
   * @throws HermesError where an extension is missing or fails: then nothing must run
   */
  async prepare(text: string, options: PrepareOptions = {}): Promise<PreparedAnswer> {
    requireString(text)
    return this.#session.prepare(text, options)
  }

  /** An executor of single envelopes that shares this session's context, consents and registry. */
  verbExecutor(): VerbExecutor {
    return new VerbExecutor(this.#session)
  }

  /** The verbs that a model can call in this session, in order of registration; see `callableVerbs`. */
  async verbs(): Promise<AnyVerb[]> {
    return callableVerbs(this.registry, this.#session.settings, await this.#session.policy())
  }

  /**
   * The working context (`context_add`) as a prompt section: each file with its current content. Beyond `maxTokens` the
   * least recently used files are left out.
   */
  async contextPrompt({ taskId, maxTokens }: { taskId?: string; maxTokens?: number } = {}): Promise<ContextPrompt> {
    return this.#session.contextPrompt(taskId, maxTokens)
  }

  /**
   * Describes where a model works, as sections of its first prompt: machine, date, project, git, sandbox, skills, and
   * the project's notes for models (`AGENTS.md`, `CLAUDE.md`).
   *
   * @param told.skills the skills to list, where the caller has them already
   */
  async surroundings(
    { skills }: { skills?: readonly { name: string; description: string }[] | undefined } = {},
  ): Promise<string> {
    return this.#session.surroundings(skills)
  }

  /**
   * @internal As `gate`. The directory that relative paths start from, and its host where that is not this machine.
   * @throws HermesError `UNREACHABLE`
   */
  async workPlace(): Promise<{ root: string; host?: string }> {
    return this.#session.workPlace()
  }

  /**
   * @internal As `gate`. For callers that read files of this machine.
   *
   * @param what begins the message: `/undo`
   * @throws HermesError `POLICY_DENIED` where the session's files are on another host
   */
  async requireHere(what: string): Promise<void> {
    requireFilesHere(what, (await this.#session.policy()).terminal)
  }

  /**
   * Ends the shells of a task (`taskId` of its runs) and everything its commands left running, and forgets its context.
   */
  async endTask(taskId: string): Promise<void> {
    await this.#session.endTask(taskId)
  }

  /**
   * @internal As `gate`. The user restored these files (absolute paths): their differing from what this session wrote
   * is no longer a reason to refuse a write.
   */
  forgetFiles(paths: readonly string[]): void {
    this.#session.forgetFiles(paths)
  }

  /**
   * @internal As `gate`. The token limit of `callText`: that of the policy files once they were read, else the default.
   */
  get callTokens(): number {
    return this.#session.settings.callTokens ?? DEFAULT_CALL_TOKENS
  }

  /**
   * @internal As `gate`. Renders one call's result as text for a model, within a limit that all front ends share.
   *
   * @param runId as given to the run: the full data of a cut result is kept under it, where anything may be written
   */
  callText(
    result: ShownResult, { tokens, runId }: { tokens?: number | undefined; runId?: string | undefined } = {},
  ): CallText {
    return callText(result, tokens ?? this.callTokens, this.#session.keptBy(runId))
  }

  /**
   * @internal As `callText`, for a whole answer, and for a model that may not have seen what earlier replies showed:
   * one session may serve several conversations.
   *
   * @param options.seen contents that the model has seen nonetheless
   */
  freshReply(
    result: ExecutionResult,
    { text, fences, seen = createSeenContents(), tokens, runId }: Pick<ReplyOptions, 'text' | 'fences' | 'seen'> & {
      tokens?: number | undefined
      runId?: string | undefined
    },
  ): string {
    const parts = { ...this.#session.replyParts(text, runId), seen: () => seen }
    const { reply } = withReply({ ...result }, { ...parts, ...(fences && { fences }) })
    return reply(tokens === undefined ? {} : { tokens })
  }

  /** @internal For front ends, see `Session.gate`; left out of the package's type declarations. */
  async gate(further: readonly string[] = []): Promise<PathGate> {
    return this.#session.gate(further)
  }

  /** @internal As `gate`. The policy that files and options make; the defaults where the files cannot be read. */
  async policy(): Promise<Policy> {
    return this.#session.policy()
  }

  /** Applies the session's extensions; `undefined` where there are none. */
  async #prepared(text: string, signal: AbortSignal | undefined): Promise<PreparedAnswer | HermesError | undefined> {
    if (this.#session.settings.extensions.length === 0) return undefined
    return orError(async () => {
      const prepared = await this.#session.prepare(text, { signal })
      this.options.onPrepared?.(prepared)
      return prepared
    })
  }

  /** Ends the run before it starts: where an extension fails, nothing of the answer runs. */
  async #failed(why: HermesError): Promise<RunResult> {
    return this.#inRun({}, undefined, (run) => run.stop(reasonWithHint(why)))
  }

  #rewritten(read: readonly ReadEvent[]): readonly ReadEvent[] {
    return rewrittenEvents(read, this.options)
  }

  async #runWhole(
    read: (settings: Settings) => readonly ReadEvent[], options: RunOptions, text?: string,
  ): Promise<RunResult> {
    return this.#inRun(options, text, async (run, settings) => {
      // Before the `end` event, so that listeners keep it too.
      if (options.prepared && !(options.prepared instanceof HermesError)) run.noteRewrites(options.prepared)
      const events = this.#rewritten(read(settings))
      options.onRead?.(outcomeOf(events))
      for await (const _ of run.takeAll(events));
    })
  }

  async #inRun(
    options: RunOptions, text: string | undefined, work: (run: Run, settings: Settings) => Promise<void> | void,
  ): Promise<RunResult> {
    const { run, settings, release } = await this.#run(undefined, options, text)
    try {
      await work(run, settings)
      for await (const _ of run.afterBlocks());
      await run.end()
      return run.result
    } finally {
      release()
    }
  }

  async #run(
    maxKeptBytes: number | undefined, options: RunOptions, text?: string,
  ): Promise<{ run: Run; settings: Settings; signal: AbortSignal; release: () => void }> {
    const { running } = this.#session
    const { problem, release, ...begun } = await this.#session.begin(options)
    const { context } = begun
    // Settings of the config files that concern reading are known only once the run has begun.
    const settings = alsoReading(this.#session.settings, options.alsoRead ?? [])
    const reply = this.#session.replyParts(text, context.runId, options.taskId)
    const parts = { ...begun, registry: this.registry, settings, reply }
    const run = new Run(parts, running, options.onEvent ?? this.options.onEvent, maxKeptBytes)
    if (problem?.code === 'UNREACHABLE') run.stopUnreached(problem)
    else if (problem) run.stop(problem.message)
    return { run, settings, signal: context.signal, release }
  }
}

function reasonWithHint({ message, hint }: HermesError): string {
  return hint === undefined ? message : `${message}. ${hint.replaceAll(/\s*\n\s*/g, ' ')}`
}

function isResponse(answer: unknown): answer is ModelResponse {
  return isRecord(answer) && Array.isArray(answer['parts'])
}

function requireString(text: unknown): void {
  if (typeof text === 'string') return
  throw usageError('The text must be a string', "Give the model's answer; stream takes it in pieces.")
}

/**
 * Runs every live block of an answer, each on its own, in text order. Never rejects because of anything in `answer`.
 *
 * @throws HermesError `INVALID_OPTION` for wrong options only
 */
export async function execute(answer: string | ModelResponse, options: ExecutorOptions = {}): Promise<RunResult> {
  const hermes = new Hermes(options)
  try {
    return await hermes.execute(answer)
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
