import { appendFileSync, closeSync, constants, existsSync, mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { openOutput, outputTarget, WholeFile } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { EarlierResults, type TakeOptions } from './earlier-results.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import type { TranscriptReport } from './replay-model.js'
import { parsedEntry, type Entry, type KeptReport } from './part-entry.js'
import { readLines } from './part-lines.js'
import { lockRun } from './run-lock.js'
import type { ResumeSurvey } from './resume-survey.js'
import type { RunWords } from './report/run-words.js'

const OF_REPLAY: RunWords = { who: 'replay', flag: '--run' }

const PARTS = 'parts'
const COMBINED = 'trajectories.jsonl'

/**
 * What a run leaves behind: `parts/worker-N.jsonl` while it goes on, a line a transcript, and `trajectories.jsonl` of
 * all that was given, at its end. A run that goes on takes over what was done with the same content and the same
 * settings.
 */
export class RunOutput<Report extends KeptReport = TranscriptReport> {
  readonly #directory: string
  readonly #earlier: EarlierResults<Report>
  #release = (): void => undefined

  private constructor(directory: string, without: readonly string[]) {
    this.#directory = directory
    this.#earlier = new EarlierResults<Report>(without)
  }

  /**
   * @param without names of settings that older versions kept, and that decide nothing
   * @throws HermesError `EEXIST` where the run is there and is not to be gone on with, `LOCKED` where another process
   *   is at it; Node's codes where it cannot be kept
   */
  static async open<Report extends KeptReport = TranscriptReport>(
    directory: string, isResumed: boolean, words = OF_REPLAY, without: readonly string[] = [],
  ): Promise<RunOutput<Report>> {
    const output = new RunOutput<Report>(directory, without)
    const parts = join(directory, PARTS)
    if (existsSync(parts) && !isResumed) {
      throw new HermesError('EEXIST', `The run ${directory} is there already`, { hint: 'Go on with it by --resume, '
        + 'or give another name.' })
    }
    try {
      outputTarget(parts)
      mkdirSync(parts, { recursive: true })
      output.#release = lockRun(directory, words)
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot keep the run in ${directory} (${error.code})`, {
        hint: 'Name a directory that you may write, or that can be made, '
          + `with ${words === OF_REPLAY ? '--output' : words.flag}.`, cause: error,
      })
    }
    for (const file of output.#parts()) {
      for await (const { entry, start, length, isWhole } of entriesOf(file)) {
        if (entry) output.#earlier.add(entry, { file, start, length })
        else if (isWhole) output.#earlier.passOver(file)
        // The run was killed while it wrote this line: it was never reported.
        else guarded(file, () => truncateSync(file, start))
      }
    }
    return output
  }

  /** Others may go on with the run now. */
  close(): void {
    this.#release()
  }

  /** What came of a transcript of this content with these settings, each time that it was done before once. */
  takeDone(id: string, settings: DecidingSettings, options: TakeOptions = {}): Entry<Report> | undefined {
    return this.#earlier.take(id, settings, options)
  }

  /** Tells what would be done again, before it is. */
  survey(): ResumeSurvey {
    return this.#earlier.survey()
  }

  /** One line about what was taken over, and what was not and why; `undefined` where there was nothing. */
  get told(): string | undefined {
    return this.#earlier.told
  }

  /** @param worker from 1 */
  keep(
    worker: number, { report, trajectory }: { report: Report; trajectory?: string }, settings: DecidingSettings,
  ): void {
    const entry: Entry<Report> = {
      id: report.id, settings, report,
      ...(trajectory !== undefined && { trajectory: JSON.parse(trajectory) as unknown }),
    }
    const file = join(this.#directory, PARTS, `worker-${worker}.jsonl`)
    guarded(file, () => {
      const descriptor = openOutput(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
      try {
        appendFileSync(descriptor, `${JSON.stringify(entry)}\n`)
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /** Puts the trajectories of all parts into one file, but for those that do not count. @returns its path */
  async combine(): Promise<string> {
    const file = join(this.#directory, COMBINED)
    const target = guarded(file, () => new WholeFile(file))
    try {
      for (const part of this.#parts()) {
        const left = this.#earlier.leftIn(part)
        for await (const { entry, start } of entriesOf(part)) {
          if (entry?.trajectory === undefined || left.has(start)) continue
          guarded(file, () => target.write(`${JSON.stringify(entry.trajectory)}\n`))
        }
      }
      guarded(file, () => target.finish())
    } finally {
      target.discard()
    }
    return file
  }

  #parts(): string[] {
    const parts = join(this.#directory, PARTS)
    return readdirSync(parts).filter((name) => /^worker-\d+\.jsonl$/.test(name)).sort().map((name) => join(parts, name))
  }
}

/** The entries of a part, and where each begins; `undefined` for one that is none. */
async function* entriesOf(
  file: string,
): AsyncGenerator<{ entry: Entry | undefined; start: number; length: number; isWhole: boolean }, void> {
  for await (const { text, isWhole, ...place } of readLines(file)) {
    yield { entry: isWhole ? parsedEntry(text) : undefined, isWhole, ...place }
  }
}

function guarded<T>(file: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write ${file} (${error.code})`, {
      hint: 'What is there stays: make room, and go on with --resume.', cause: error,
    })
  }
}
