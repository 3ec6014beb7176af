import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn } from '../../../2-files/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'
import { parseJson } from '../../../0-contracts/src/index.js'
import { ifThere } from '../if-there.js'

const MODE = 0o600
const NOT_KEPT = '\n… more is not kept (cron.keep_output)\n'

const DELIVERY = v.object({
  to: v.string(),
  /**
   * `waiting`: for the end of the run, or for another attempt. `unknown`: it may have arrived, and is not sent again.
   */
  state: v.picklist(['waiting', 'sending', 'delivered', 'failed', 'unknown']),
  tries: v.number(),
  nextMs: v.optional(v.number()),
  /** In one line. */
  problem: v.optional(v.string()),
  /** Text to send; removed once delivered. */
  text: v.optional(v.string()),
})
const RUN = v.object({
  id: v.string(), job: v.string(),
  /** Time it was due; milliseconds since the epoch, like all times here. */
  dueMs: v.number(),
  startedMs: v.number(),
  endedMs: v.optional(v.number()),
  /**
   * `running` without a live runner counts as `interrupted`. `skipped`: the previous run had not ended. `missed`: a job
   * that runs once, too late to be made up for.
   */
  outcome: v.picklist(['running', 'done', 'failed', 'interrupted', 'skipped', 'missed']),
  /** In one line. */
  detail: v.optional(v.string()),
  /** Number of times before `dueMs` that passed without a runner. */
  missed: v.optional(v.number()),
  /** Set for a job that runs once, which is removed while its result stays. */
  once: v.optional(v.literal(true)),
  /** Delivery of the result, for a job with a target. */
  delivery: v.optional(DELIVERY),
})
export type CronRun = v.InferOutput<typeof RUN>

/** Records of a job's runs: `runs/<job>/<run>.json` and `.txt`, readable by their owner only. */
export class RunLog {
  /**
   * @param directory of all jobs @param mostRuns most runs kept of each job @param mostBytes most bytes kept of each
   * output
   */
  constructor(
    private readonly directory: string, private readonly mostRuns = 50,
    private readonly mostBytes = 1024 * 1024,
  ) {}

  /** Newest last, without damaged records. */
  list(job: string): CronRun[] {
    const names = namesIn(join(this.directory, 'runs', job)).filter((name) => name.endsWith('.json')).sort()
    return names.flatMap((name) => {
      const run = v.safeParse(RUN, parseJson(textOf(join(this.directory, 'runs', job, name)) ?? 'null'))
      return run.success ? [run.output] : []
    })
  }

  jobs(): string[] {
    return namesIn(join(this.directory, 'runs')).sort()
  }

  output({ job, id }: Pick<CronRun, 'job' | 'id'>): string {
    return textOf(join(this.directory, 'runs', job, `${id}.txt`)) ?? ''
  }

  /** Stores a run's record. Called before anything runs, so that a started run is never started again. */
  save(run: CronRun): void {
    const directory = join(this.directory, 'runs', run.job)
    makeOwnDirectory(directory)
    writeOwn(join(directory, `${run.id}.json`), JSON.stringify(run))
    this.#prune(run.job)
  }

  /** Returns a function that stores the output of a run, up to the limit. */
  writer({ job, id }: Pick<CronRun, 'job' | 'id'>): (text: string) => void {
    const file = join(this.directory, 'runs', job, `${id}.txt`)
    let left = this.mostBytes
    return (text) => {
      if (left <= 0 || text === '') return
      const bytes = Buffer.from(text)
      const cut = bytes.length > left ? Buffer.concat([bytes.subarray(0, left), Buffer.from(NOT_KEPT)]) : bytes
      left -= bytes.length
      appendFileSync(file, cut, { mode: MODE })
    }
  }

  /** Removes records of jobs that ran once and are gone, except for the latest. @param jobs those that exist */
  pruneOnce(jobs: ReadonlySet<string>): void {
    const gone = this.jobs().filter((job) => !jobs.has(job)).flatMap((job) => {
      const runs = this.list(job)
      return runs.length > 0 && runs.every((run) => run.once === true && !isOpen(run))
        ? [{ job, startedMs: runs.at(-1)?.startedMs ?? 0 }] : []
    })
    gone.sort((a, b) => b.startedMs - a.startedMs)
    for (const { job } of gone.slice(this.mostRuns)) {
      rmSync(join(this.directory, 'runs', job), { recursive: true, force: true })
    }
  }

  #prune(job: string): void {
    const runs = this.list(job)
    for (const run of runs.slice(0, Math.max(0, runs.length - this.mostRuns))) {
      if (isOpen(run)) continue
      for (const end of ['json', 'txt']) rmSync(join(this.directory, 'runs', job, `${run.id}.${end}`), { force: true })
    }
  }
}

function isOpen({ outcome, delivery }: CronRun): boolean {
  return outcome === 'running' || delivery?.state === 'waiting' || delivery?.state === 'sending'
}

/** An id that sorts by time. */
export function runId(dueMs: number): string {
  return new Date(dueMs).toISOString().replaceAll(/[:.]/g, '-')
}

function namesIn(directory: string): string[] {
  return ifThere(() => readdirSync(directory)) ?? []
}

function textOf(file: string): string | undefined {
  return ifThere(() => readFileSync(file, 'utf8'))
}
