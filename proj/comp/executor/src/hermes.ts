/// <reference lib="esnext.disposable" preserve="true" />
import { HermesError, type ExecutionResult, type HermesEvent } from '../../contracts/src/index.js'
import { BlockReader, readEvents, type ReadEvent } from '../../parsers/src/index.js'
import type { VerbRegistry } from '../../registry/src/index.js'
import { BlockScanner } from '../../scanner/src/index.js'
import { Run } from './run.js'
import { Session } from './session.js'
import type { ExecutorOptions } from './settings.js'

/** A session: root, context and registry stay between its calls. Contract section 5. */
export class Hermes implements AsyncDisposable {
  /** Verbs may be added until they are used. */
  readonly registry: VerbRegistry
  readonly #session: Session
  readonly #onEvent: ExecutorOptions['onEvent']

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: ExecutorOptions = {}) {
    this.#session = new Session(options)
    this.#onEvent = options.onEvent
    this.registry = this.#session.registry
  }

  /** Runs every live block of an answer. Never rejects for anything in `text`. */
  async execute(text: string): Promise<ExecutionResult> {
    requireString(text)
    const run = await this.#run()
    for (const event of readEvents(text, { startsInThink: this.#session.settings.startsInThink })) {
      for await (const _ of run.take(event));
    }
    await run.end()
    return run.result
  }

  /**
   * The same while the text still comes: each block runs when its end is decided, and the next piece is asked for
   * when it is done. Text before a stray closing think tag has run by then: that is reported as `STRAY_THINK_END`.
   */
  async *stream(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<HermesEvent, void> {
    const run = await this.#run()
    const reader = new BlockReader()
    let read: ReadEvent[] = []
    const { startsInThink } = this.#session.settings
    const scanner = new BlockScanner((item) => read.push(...reader.read(item)), { startsInThink })
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
    yield await run.end()
  }

  /** Kills what still runs, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.dispose()
  }

  async #run(): Promise<Run> {
    const { settings, running } = this.#session
    const { context, transaction, problem, warnings, lateWarnings } = await this.#session.begin()
    const run = new Run({ registry: this.registry, settings, context, transaction, warnings, lateWarnings }, running, this.#onEvent)
    if (problem) run.stop(problem.message)
    return run
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
