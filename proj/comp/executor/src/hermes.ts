/// <reference lib="esnext.disposable" preserve="true" />
import {
  HermesError, type ExecutionResult, type HermesEvent, type PathGate, type SessionState, type VerbContext,
} from '../../contracts/src/index.js'
import { DiskFiles, OverlayFiles } from '../../files/src/index.js'
import { BlockReader, readEvents, type ReadEvent } from '../../parsers/src/index.js'
import { createPathGate } from '../../policy/src/index.js'
import { VerbRegistry } from '../../registry/src/index.js'
import { BlockScanner } from '../../scanner/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import { Approvals } from './approvals.js'
import { Run } from './run.js'
import { createRunId } from './run-id.js'
import { readSettings, type ExecutorOptions, type Settings } from './settings.js'

/** A session: root, context and registry stay between its calls. Contract section 5. */
export class Hermes implements AsyncDisposable {
  /** Verbs may be added until they are used. */
  readonly registry: VerbRegistry
  readonly #settings: Settings
  readonly #options: ExecutorOptions
  readonly #session: SessionState
  readonly #gate: PathGate
  readonly #approvals: Approvals
  readonly #running = new Set<Promise<unknown>>()
  /** Ends what still runs when the session is disposed of. */
  readonly #disposed = new AbortController()

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: ExecutorOptions = {}) {
    this.#options = options
    this.#settings = readSettings(options)
    this.registry = options.registry ?? new VerbRegistry(VERBS)
    const gate = this.#makeGate()
    this.#gate = gate
    this.#settings.rules.root = gate.root
    this.#session = { root: gate.root, context: new Map() }
    this.#approvals = new Approvals(options.approve)
  }

  /** Runs every live block of an answer. Never rejects for anything in `text`. */
  async execute(text: string): Promise<ExecutionResult> {
    requireString(text)
    const run = this.#run()
    for (const event of readEvents(text, { startsInThink: this.#settings.startsInThink })) {
      for await (const _ of run.take(event));
    }
    run.end()
    return run.result
  }

  /**
   * The same while the text still comes: each block runs when its end is decided, and the next piece is asked for
   * when it is done. Text before a stray closing think tag has run by then: that is reported as `STRAY_THINK_END`.
   */
  async *stream(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<HermesEvent, void> {
    const run = this.#run()
    const reader = new BlockReader()
    let read: ReadEvent[] = []
    const scanner = new BlockScanner((item) => read.push(...reader.read(item)), { startsInThink: this.#settings.startsInThink })
    const drain = (): ReadEvent[] => {
      const events = read
      read = []
      return events
    }
    for await (const chunk of chunks) {
      requireString(chunk)
      scanner.push(chunk)
      for (const event of drain()) yield* run.take(event)
    }
    scanner.end()
    for (const event of drain()) yield* run.take(event)
    yield run.end()
  }

  /** Kills what still runs, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort()
    await Promise.allSettled(this.#running)
  }

  #makeGate(overlay?: OverlayFiles) {
    const { root, allow, rules } = this.#settings
    return createPathGate({ root, allow, aliases: rules.rootAliases, ...(overlay && { probe: overlay.probe }) })
  }

  #run(): Run {
    const overlay = this.#settings.dryRun ? new OverlayFiles() : undefined
    const fresh = this.#freshGate(overlay)
    const { signal } = this.#options
    const context: VerbContext = {
      gate: fresh instanceof HermesError ? this.#gate : fresh,
      files: overlay ?? new DiskFiles(),
      session: this.#session,
      limits: this.#settings.limits,
      runId: createRunId(),
      dryRun: this.#settings.dryRun,
      ui: this.#options.ui,
      approve: (request) => this.#approvals.request(request),
      signal: signal ? AbortSignal.any([signal, this.#disposed.signal]) : this.#disposed.signal,
    }
    const run = new Run(this.registry, this.#settings, context, this.#running, this.#options.onEvent)
    if (fresh instanceof HermesError) run.stop(fresh.message)
    return run
  }

  /** Made anew for each run: a command of an earlier one may have removed what the session works in. */
  #freshGate(overlay: OverlayFiles | undefined): PathGate | HermesError {
    try {
      return this.#makeGate(overlay)
    } catch (error) {
      if (error instanceof HermesError) return error
      throw error
    }
  }
}

function requireString(text: unknown): void {
  if (typeof text === 'string') return
  throw new HermesError('INVALID_OPTION', 'The text must be a string', { hint: "Give the model's answer, or its pieces." })
}

/**
 * Runs every live block of an answer, each on its own, in text order. Never throws and never rejects for anything in
 * `text`.
 *
 * @throws HermesError `INVALID_OPTION` for wrong options only
 */
export async function execute(text: string, options: ExecutorOptions = {}): Promise<ExecutionResult> {
  return new Hermes(options).execute(text)
}
