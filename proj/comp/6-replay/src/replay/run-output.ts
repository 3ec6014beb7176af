import { appendFileSync, constants, existsSync, mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { closing, LockFile, openOutput, outputTarget, WholeFile } from '../../../2-files/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { EarlierResults, type TakeOptions } from './earlier-results.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import type { TranscriptReport } from './replay-model.js'
import { guardedWrite } from './guarded-write.js'
import { parsedEntry, type Entry, type KeptReport } from './part-entry.js'
import { readLines } from './part-lines.js'
import type { ResumeSurvey } from './resume-survey.js'

/** How messages name those who keep a run, and the flag that says where. */
interface RunWords {
  who: string
  flag: string
}

const OF_REPLAY: RunWords = { who: 'replay', flag: '--run' }

const PARTS = 'parts'
const COMBINED = 'trajectories.jsonl'

/**
 * Files of a run: `parts/worker-N.jsonl` while it goes on, one line for each transcript, and at its end
 * `trajectories.jsonl` of everything given. A resumed run reuses results of the same content and settings.
 */
export class RunOutput<Report extends KeptReport = TranscriptReport> {
  readonly #earlier: EarlierResults<Report>
  #release = (): void => undefined

  private constructor(private readonly directory: string, without: readonly string[]) {
    this.#earlier = new EarlierResults<Report>(without)
  }

  /**
   * @param without names of settings that older versions stored, and that influence nothing
   * @throws HermesError `EEXIST` where the run exists and is not to be resumed, `LOCKED` where another process runs it;
   * Node's codes where it cannot be stored
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
    const flag = words === OF_REPLAY ? '--output' : words.flag
    guardedWrite({
      what: `Cannot keep the run in ${directory}`,
      hint: `Name a directory that you may write, or that can be made, with ${flag}.`,
    }, () => {
      outputTarget(parts)
      mkdirSync(parts, { recursive: true })
      output.#release = lockRun(directory, words)
    })
    for (const file of output.#parts()) {
      for await (const { entry, start, length, isWhole } of entriesOf(file)) {
        if (entry) output.#earlier.add(entry, { file, start, length })
        else if (isWhole) output.#earlier.passOver(file)
        // The run was killed while writing this line, which was never reported.
        else guarded(file, () => truncateSync(file, start))
      }
    }
    return output
  }

  /** Releases the lock, so that others can resume the run. */
  close(): void {
    this.#release()
  }

  /** Returns a stored result for this content and these settings; each result is returned once. */
  takeDone(id: string, settings: DecidingSettings, options: TakeOptions = {}): Entry<Report> | undefined {
    return this.#earlier.take(id, settings, options)
  }

  /** A survey of what would be run again. */
  survey(): ResumeSurvey {
    return this.#earlier.survey()
  }

  /** One line on what was reused, and what was not and why; `undefined` where nothing was stored. */
  get told(): string | undefined {
    return this.#earlier.told
  }

  /** Stores a result. @param worker from 1 */
  keep(
    worker: number, { report, trajectory }: { report: Report; trajectory?: string }, settings: DecidingSettings,
  ): void {
    const entry: Entry<Report> = {
      id: report.id, settings, report,
      ...(trajectory !== undefined && { trajectory: JSON.parse(trajectory) as unknown }),
    }
    const file = join(this.directory, PARTS, `worker-${worker}.jsonl`)
    guarded(file, () => {
      const opened = openOutput(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
      closing(opened, (descriptor) => appendFileSync(descriptor, `${JSON.stringify(entry)}\n`))
    })
  }

  /** Combines the trajectories of all parts, without those that do not count. @returns the path of the file */
  async combine(): Promise<string> {
    const file = join(this.directory, COMBINED)
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
    const parts = join(this.directory, PARTS)
    return readdirSync(parts).filter((name) => /^worker-\d+\.jsonl$/.test(name)).sort().map((name) => join(parts, name))
  }
}

/**
 * Keeps a run's directory for this process: two that wrote there would mix their results.
 *
 * @returns what gives it free; the end of the process does, too
 * @throws HermesError `LOCKED`, or Node's codes
 */
function lockRun(directory: string, { who, flag }: RunWords): () => void {
  const file = join(directory, 'lock')
  const lock = LockFile.tryAt(file, who)
  if (!(lock instanceof LockFile)) {
    throw new HermesError('LOCKED', `Another ${who} works in the run ${directory} (process ${lock.pid})`, {
      hint: `Wait until it has ended, or give another name with ${flag}. If it ran on a host that is gone, `
        + `remove ${file}.`,
    })
  }
  const release = (): void => {
    process.off('exit', release)
    lock.release()
  }
  process.once('exit', release)
  return release
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
  const hint = 'What is there stays: make room, and go on with --resume.'
  return guardedWrite({ what: `Cannot write ${file}`, hint }, write)
}
