import {
  appendFileSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, truncateSync, writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { HermesError, isRecord } from '../../contracts/src/index.js'
import { readLines } from './part-lines.js'
import type { TranscriptReport } from './model.js'
import type { Replayed } from './replay-transcript.js'

/** One line of a part. */
interface Entry {
  id: string
  report: TranscriptReport
  /** As a line of training data, parsed. */
  trajectory?: unknown
}

const PARTS = 'parts'
const COMBINED = 'trajectories.jsonl'

/**
 * What a run leaves behind: `parts/worker-N.jsonl` while it goes on, a line a transcript, and `trajectories.jsonl` of all at
 * its end. What is in the parts is done: a run that was interrupted goes on from there.
 */
export class RunOutput {
  readonly #directory: string
  /** Transcripts that are done and have not come by yet, by content: the same one may be there several times. */
  readonly #done = new Map<string, number>()

  private constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * @param onEarlier told of each report of an earlier start of the run
   * @throws HermesError `EEXIST` where the run is there and is not to be gone on with
   */
  static async open(directory: string, isResumed: boolean, onEarlier: (report: TranscriptReport) => void): Promise<RunOutput> {
    const output = new RunOutput(directory)
    const parts = join(directory, PARTS)
    if (existsSync(parts) && !isResumed) {
      throw new HermesError('EEXIST', `The run ${directory} is there already`, { hint: 'Go on with it by --resume, or give another name.' })
    }
    mkdirSync(parts, { recursive: true })
    for (const file of output.#parts()) {
      for await (const { entry, start } of entriesOf(file)) {
        if (!entry) {
          // The run was killed while it wrote this line: it was never reported.
          truncateSync(file, start)
          break
        }
        output.#done.set(entry.id, (output.#done.get(entry.id) ?? 0) + 1)
        onEarlier(entry.report)
      }
    }
    return output
  }

  /** True once for each time that it was done before. */
  takeDone(id: string): boolean {
    const left = this.#done.get(id) ?? 0
    if (left > 0) this.#done.set(id, left - 1)
    return left > 0
  }

  /** @param worker from 1 */
  keep(worker: number, { report, trajectory }: Replayed): void {
    const entry = { id: report.id, report, ...(trajectory !== undefined && { trajectory: JSON.parse(trajectory) as unknown }) }
    appendFileSync(join(this.#directory, PARTS, `worker-${worker}.jsonl`), `${JSON.stringify(entry)}\n`)
  }

  /** Puts the trajectories of all parts into one file. @returns its path */
  async combine(): Promise<string> {
    const file = join(this.#directory, COMBINED)
    const temporary = `${file}.tmp`
    const target = openSync(temporary, 'w')
    try {
      for (const part of this.#parts()) {
        for await (const { entry } of entriesOf(part)) {
          if (entry?.trajectory !== undefined) writeSync(target, `${JSON.stringify(entry.trajectory)}\n`)
        }
      }
    } finally {
      closeSync(target)
    }
    renameSync(temporary, file)
    return file
  }

  #parts(): string[] {
    const parts = join(this.#directory, PARTS)
    return readdirSync(parts).filter((name) => /^worker-\d+\.jsonl$/.test(name)).sort().map((name) => join(parts, name))
  }
}

/** The entries of a part, and where each begins; `undefined` for one that is no whole line. */
async function* entriesOf(file: string): AsyncGenerator<{ entry: Entry | undefined; start: number }, void> {
  for await (const { text, start, isWhole } of readLines(file)) yield { entry: isWhole ? parsed(text) : undefined, start }
}

function parsed(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value['id'] === 'string' && isRecord(value['report']) ? value as unknown as Entry : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
