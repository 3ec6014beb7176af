import { statSync } from 'node:fs'
import { WholeFile } from '../../../2-files/src/index.js'
import {
  contentHash, readTranscripts, type ReadItem, type TextChoice, type Transcript, type TranscriptFormat,
} from '../../../2-transcripts/src/index.js'
import { ChoiceOfTexts } from './choice-of-texts.js'
import { settingsReader, type DecidingSettings } from './compare/fingerprint.js'
import { guardedWrite } from './guarded-write.js'
import type { ReplayReport, TranscriptReport } from './replay-model.js'
import type { ReplayTotal } from './report/replay-progress.js'
import type { PathPlan } from './path-plans.js'
import { replay } from './replay.js'
import type { ReplayRunner } from './replay-run.js'
import type { Replayed } from './replay-transcript.js'
import { RunOutput } from './run-output.js'
import type { Update } from './update/recording-updates.js'

/** Largest total size, in bytes, of files whose transcripts are counted beforehand to show the remaining time. */
const COUNTED_BYTES = 16 * 1024 * 1024

export interface ReplayRunOptions {
  plans: readonly PathPlan[]
  format: TranscriptFormat | undefined
  /** Where results are stored, so that the run can be resumed. */
  directory: string | undefined
  /** Whether to reuse the results of an earlier start. */
  isResumed: boolean
  /** Whether to reuse only those that were as recorded. */
  onlySame: boolean
  /** File for the trajectories. */
  exportTo: string | undefined
  /** Which texts to run of answers that extensions changed. Default: those that ran. */
  texts?: TextChoice
  signal: AbortSignal
}

export interface ReplayListener {
  onProgress: (report: ReplayReport) => void
  /** Called for each transcript that was as recorded: the report only counts these. */
  onSame?: ((report: TranscriptReport) => void) | undefined
  /** Called at once with the error that ends the replay, and how many transcripts are still running. */
  onFailure: (error: unknown, left: number) => void
}

/** One replay of the transcripts of several paths, up to writing its files. */
export class ReplayRun {
  readonly #exported: ExportWriter
  readonly #planOf = new WeakMap<Transcript, number>()
  readonly #settingsOf = new WeakMap<Transcript, DecidingSettings>()
  /** Results that differ from the record, for `updateRecords`. */
  readonly updates: Update[] = []
  readonly #texts: ChoiceOfTexts

  private constructor(private readonly options: ReplayRunOptions, private readonly output: RunOutput | undefined) {
    this.#texts = new ChoiceOfTexts(options.texts ?? {})
    this.#exported = exportWriter(options.exportTo)
  }

  /** Locks the directory and opens the files. @throws HermesError `EEXIST`, `LOCKED`; Node's codes */
  static async open(options: ReplayRunOptions): Promise<ReplayRun> {
    const { directory, isResumed } = options
    return new ReplayRun(options, directory === undefined ? undefined : await RunOutput.open(directory, isResumed))
  }

  /** What was reused of an earlier start, in one line. */
  get told(): string | undefined {
    return this.output?.told
  }

  /** The number of transcripts; `undefined` where counting would take long, or the input can be read only once. */
  async count(): Promise<ReplayTotal | undefined> {
    const isSmall = this.options.plans.every(({ path }) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isDirectory() === true || (stat?.isFile() === true && stat.size <= COUNTED_BYTES)
    })
    if (!isSmall) return undefined
    const total: ReplayTotal = { transcripts: 0, calls: 0 }
    for await (const item of this.#read()) {
      total.transcripts++
      if ('transcript' in item) total.calls += recordedCalls(item.transcript)
    }
    return total
  }

  /** Replays all of them; closes the runner. */
  async replay(runner: ReplayRunner, { onProgress, onSame, onFailure }: ReplayListener): Promise<ReplayReport> {
    const { plans, onlySame, signal } = this.options
    const readSettings = settingsReader()
    try {
      const report = await replay(this.#read(this.#planOf), {
        concurrency: runner.concurrency,
        signal,
        run: async (transcript) => {
          const failure = this.#texts.failure(transcript)
          const plan = this.#planOf.get(transcript) ?? 0
          const ran = failure ? { worker: 1, replayed: failure }
            : await runner.run(plan, transcript, this.#settingsOf.get(transcript))
          this.#texts.tell(transcript, ran.replayed)
          return ran
        },
        onFailure,
        onProgress,
        onSame,
        earlier: async (transcript) => {
          const options = plans[this.#planOf.get(transcript) ?? 0]?.options
          if (!this.output || !options) return undefined
          const settings = await readSettings(options, transcript)
          this.#settingsOf.set(transcript, settings)
          const done = this.output.takeDone(contentHash(transcript), settings, { onlySame })
          if (done?.trajectory !== undefined) this.#exported.write(JSON.stringify(done.trajectory))
          return done?.report
        },
        onReplayed: async (transcript, replayed, worker) => {
          this.#keep(transcript, replayed, { worker, isRun: runner.isRun?.(transcript) ?? true })
          await runner.settled?.(transcript)
        },
      })
      if (!signal.aborted) this.#texts.requireKnown()
      return report
    } finally {
      await runner.close()
    }
  }

  /** Combines the trajectories of a run that was not interrupted. @returns their file, if results are stored */
  async combine(): Promise<string | undefined> {
    return this.output?.combine()
  }

  /** Releases the directory. @param isWhole whether the new file of trajectories replaces the old one */
  close(isWhole: boolean): void {
    this.output?.close()
    if (isWhole) this.#exported.finish()
  }

  #keep(transcript: Transcript, replayed: Replayed, { worker, isRun }: { worker: number; isRun: boolean }): void {
    const { trajectory, results, report: { error, drifted, counts } } = replayed
    if (isRun) this.output?.keep(worker, replayed, this.#settingsOf.get(transcript) ?? {})
    this.#exported.write(trajectory)
    if (results && !error && (drifted || counts.unrecorded > 0)) this.updates.push({ transcript, results })
  }

  async* #read(planOf?: WeakMap<Transcript, number>): AsyncGenerator<ReadItem, void> {
    const { plans, format } = this.options
    const seen = new Set<string>()
    for (const [index, { path, except }] of plans.entries()) {
      for await (const item of readTranscripts([path], { format, except, seen })) {
        if (!('transcript' in item) || !planOf) {
          yield item
          continue
        }
        const transcript = await this.#texts.choose(item.transcript)
        planOf.set(transcript, index)
        yield { transcript }
      }
    }
  }
}

/** The number of calls, counted by their results. */
function recordedCalls({ turns }: Transcript): number {
  return turns.reduce((sum, turn) => sum + (turn.role === 'results' ? turn.results.length : 0), 0)
}

interface ExportWriter {
  write(line: string | undefined): void
  /** Puts what was written in the place of the file; without this it stays as it was. */
  finish(): void
}

/**
 * What writes the trajectories: beside the file, which they replace at the end. A device is written as they come.
 *
 * @throws HermesError where it cannot be written
 */
function exportWriter(file: string | undefined): ExportWriter {
  if (file === undefined) return { write: () => undefined, finish: () => undefined }
  const guarded = <T>(write: () => T): T => guardedWrite({
    what: `Cannot write the trajectories ${file}`, hint: 'Name a file that you may write.',
    fullHint: 'The disk is full: make room, or write them elsewhere.',
  }, write)
  const target = guarded(() => new WholeFile(file))
  return {
    write: (line) => (line === undefined ? undefined : guarded(() => target.write(`${line}\n`))),
    finish: () => guarded(() => target.finish()),
  }
}
