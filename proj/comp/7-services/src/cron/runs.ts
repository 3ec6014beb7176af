import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn } from '../../../2-files/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'
import { isNodeError } from '../../../0-contracts/src/index.js'

const MODE = 0o600
const NOT_KEPT = '\n… more is not kept (cron.keep_output)\n'

const DELIVERY = v.object({
  to: v.string(),
  /**
   * `waiting`: for the end of the run, or for another try. `unknown`: it may have arrived, and is not sent again.
   */
  state: v.picklist(['waiting', 'sending', 'delivered', 'failed', 'unknown']),
  tries: v.number(),
  nextMs: v.optional(v.number()),
  /** One line. */
  problem: v.optional(v.string()),
  /** What is to be sent; gone once it has arrived. */
  text: v.optional(v.string()),
})
const RUN = v.object({
  id: v.string(), job: v.string(),
  /** The time it was due; milliseconds since the epoch, as all of them. */
  dueMs: v.number(),
  startedMs: v.number(),
  endedMs: v.optional(v.number()),
  /**
   * `running` of a runner that is gone counts as `interrupted`. `skipped`: the run before had not ended.
   * `missed`: of a job that runs once, too late to make it up.
   */
  outcome: v.picklist(['running', 'done', 'failed', 'interrupted', 'skipped', 'missed']),
  /** One line. */
  detail: v.optional(v.string()),
  /** How many times before `dueMs` passed while no runner worked. */
  missed: v.optional(v.number()),
  /** Its job runs once, and is kept no longer than what came of it. */
  once: v.optional(v.literal(true)),
  /** Of a job that delivers: how it stands with that. */
  delivery: v.optional(DELIVERY),
})
export type CronRun = v.InferOutput<typeof RUN>

/** What came of the runs of one job: `runs/<job>/<run>.json` and `.txt`, for their owner alone. */
export class RunLog {
  readonly #directory: string
  readonly #mostRuns: number
  readonly #mostBytes: number

  /** @param directory of all jobs. @param mostRuns kept of each. @param mostBytes kept of each output */
  constructor(directory: string, mostRuns = 50, mostBytes = 1024 * 1024) {
    this.#directory = directory
    this.#mostRuns = mostRuns
    this.#mostBytes = mostBytes
  }

  /** The newest last. What is damaged is left out. */
  list(job: string): CronRun[] {
    const names = namesIn(join(this.#directory, 'runs', job)).filter((name) => name.endsWith('.json')).sort()
    return names.flatMap((name) => {
      const run = v.safeParse(RUN, parsed(join(this.#directory, 'runs', job, name)))
      return run.success ? [run.output] : []
    })
  }

  jobs(): string[] {
    return namesIn(join(this.#directory, 'runs')).sort()
  }

  output({ job, id }: Pick<CronRun, 'job' | 'id'>): string {
    return textOf(join(this.#directory, 'runs', job, `${id}.txt`)) ?? ''
  }

  /** Written before anything runs: a run that was begun is never begun again. */
  save(run: CronRun): void {
    const directory = join(this.#directory, 'runs', run.job)
    makeOwnDirectory(directory)
    const file = join(directory, `${run.id}.json`)
    writeOwn(file, JSON.stringify(run))
    this.#prune(run.job)
  }

  /** What takes its output, until it is full. */
  writer({ job, id }: Pick<CronRun, 'job' | 'id'>): (text: string) => void {
    const file = join(this.#directory, 'runs', job, `${id}.txt`)
    let left = this.#mostBytes
    return (text) => {
      if (left <= 0 || text === '') return
      const bytes = Buffer.from(text)
      const cut = bytes.length > left ? Buffer.concat([bytes.subarray(0, left), Buffer.from(NOT_KEPT)]) : bytes
      left -= bytes.length
      appendFileSync(file, cut, { mode: MODE })
    }
  }

  /** Keeps what came of the last jobs that ran once and are gone. @param jobs that there are */
  pruneOnce(jobs: ReadonlySet<string>): void {
    const gone = this.jobs().filter((job) => !jobs.has(job)).flatMap((job) => {
      const runs = this.list(job)
      return runs.length > 0 && runs.every((run) => run.once === true && !isOpen(run))
        ? [{ job, startedMs: runs.at(-1)?.startedMs ?? 0 }] : []
    })
    gone.sort((a, b) => b.startedMs - a.startedMs)
    for (const { job } of gone.slice(this.#mostRuns)) {
      rmSync(join(this.#directory, 'runs', job), { recursive: true, force: true })
    }
  }

  #prune(job: string): void {
    const runs = this.list(job)
    for (const run of runs.slice(0, Math.max(0, runs.length - this.#mostRuns))) {
      if (isOpen(run)) continue
      const { id } = run
      for (const end of ['json', 'txt']) rmSync(join(this.#directory, 'runs', job, `${id}.${end}`), { force: true })
    }
  }
}

function isOpen({ outcome, delivery }: CronRun): boolean {
  return outcome === 'running' || delivery?.state === 'waiting' || delivery?.state === 'sending'
}

/** Sorts by time as text does. */
export function runId(dueMs: number): string {
  return new Date(dueMs).toISOString().replaceAll(/[:.]/g, '-')
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return []
    throw error
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(textOf(file) ?? 'null')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
