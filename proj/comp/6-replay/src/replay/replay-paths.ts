import { statSync } from 'node:fs'
import {
  contentHash, readTranscripts, type ReadItem, type TextChoice, type Transcript, type TranscriptFormat,
} from '../../../2-transcripts/src/index.js'
import { ChoiceOfTexts } from './choice-of-texts.js'
import { settingsReader, type DecidingSettings } from './compare/fingerprint.js'
import type { ReplayReport, TranscriptReport } from './replay-model.js'
import type { ReplayTotal } from './report/replay-progress.js'
import type { PathPlan } from './path-plans.js'
import { replay } from './replay.js'
import { exportWriter, type ExportWriter } from './replay-export.js'
import type { ReplayRunner } from './replay-run.js'
import type { Replayed } from './replay-transcript.js'
import { RunOutput } from './run-output.js'
import type { Update } from './update/recording-updates.js'

/** Up to here transcripts are counted beforehand, so that the remaining time can be told; in bytes. */
const COUNTED_BYTES = 16 * 1024 * 1024

export interface ReplayRunOptions {
  plans: readonly PathPlan[]
  format: TranscriptFormat | undefined
  /** Where results are kept, to be gone on with. */
  directory: string | undefined
  /** Takes over what an earlier start has done. */
  isResumed: boolean
  /** Of that only what came out as recorded. */
  onlySame: boolean
  /** File of the trajectories. */
  exportTo: string | undefined
  /** Which texts run of answers that extensions changed. Default: those that ran. */
  texts?: TextChoice
  signal: AbortSignal
}

export interface ReplayListener {
  onProgress: (report: ReplayReport) => void
  /** Told of each transcript that came out as recorded: the report only counts them. */
  onSame?: ((report: TranscriptReport) => void) | undefined
  /** What ends the replay, at once: so many others are still under way. */
  onFailure: (error: unknown, left: number) => void
}

/** One replay of the transcripts of paths, from its first to the files it leaves. */
export class ReplayRun {
  readonly #options: ReplayRunOptions
  readonly #output: RunOutput | undefined
  readonly #exported: ExportWriter
  readonly #planOf = new WeakMap<Transcript, number>()
  readonly #settingsOf = new WeakMap<Transcript, DecidingSettings>()
  readonly #updates: Update[] = []
  readonly #texts: ChoiceOfTexts

  private constructor(options: ReplayRunOptions, output: RunOutput | undefined) {
    this.#texts = new ChoiceOfTexts(options.texts ?? {})
    this.#options = options
    this.#output = output
    this.#exported = exportWriter(options.exportTo)
  }

  /** Takes the directory and opens the files. @throws HermesError `EEXIST`, `LOCKED`; Node's codes */
  static async open(options: ReplayRunOptions): Promise<ReplayRun> {
    const { directory, isResumed } = options
    return new ReplayRun(options, directory === undefined ? undefined : await RunOutput.open(directory, isResumed))
  }

  /** Results that differ from those recorded, for `updateRecords`. */
  get updates(): readonly Update[] {
    return this.#updates
  }

  /** What an earlier start had done, in one line. */
  get told(): string | undefined {
    return this.#output?.told
  }

  /** How many there are; `undefined` where to count them would take long, or the text can be read once only. */
  async count(): Promise<ReplayTotal | undefined> {
    const isSmall = this.#options.plans.every(({ path }) => {
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
    const { plans, onlySame, signal } = this.#options
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
          if (!this.#output || !options) return undefined
          const settings = await readSettings(options, transcript)
          this.#settingsOf.set(transcript, settings)
          const done = this.#output.takeDone(contentHash(transcript), settings, { onlySame })
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

  /** Puts the trajectories of a run that was not interrupted together. @returns their file, where results are kept */
  async combine(): Promise<string | undefined> {
    return this.#output?.combine()
  }

  /** Gives the directory back. @param isWhole the file of trajectories takes its place; else it stays as it was */
  close(isWhole: boolean): void {
    this.#output?.close()
    if (isWhole) this.#exported.finish()
  }

  #keep(transcript: Transcript, replayed: Replayed, { worker, isRun }: { worker: number; isRun: boolean }): void {
    const { trajectory, results, report: { error, drifted, counts } } = replayed
    if (isRun) this.#output?.keep(worker, replayed, this.#settingsOf.get(transcript) ?? {})
    this.#exported.write(trajectory)
    if (results && !error && (drifted || counts.unrecorded > 0)) this.#updates.push({ transcript, results })
  }

  async* #read(planOf?: WeakMap<Transcript, number>): AsyncGenerator<ReadItem, void> {
    const { plans, format } = this.#options
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

/** As many as there are results of them. */
function recordedCalls({ turns }: Transcript): number {
  return turns.reduce((sum, turn) => sum + (turn.role === 'results' ? turn.results.length : 0), 0)
}
