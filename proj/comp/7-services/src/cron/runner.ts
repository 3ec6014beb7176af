import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { LockFile } from '../../../2-files/src/index.js'
import { lockService } from '../service-lock.js'
import { Deliveries, type Deliver } from './deliveries.js'
import { noJob, readJobs, removeJob, type Job } from './jobs.js'
import { RunLog, runId, type CronRun } from './runs.js'
import { jobSchedule } from './schedule.js'

/** Longest time until added or removed jobs, or a changed clock, are noticed. */
const LOOK_MS = 15_000
const MOST_AT_ONCE = 4
/** A clock set back by less repeats no run. */
const PUT_BACK_MS = 3 * 60 * 60_000
/** Most characters kept of a text to send. */
const MOST_TEXT = 32_000
/** Default of how late a job that runs once may still run. */
const LATE_MS = 24 * 60 * 60_000
/** Default time limit of a run. */
const RUN_MS = 60 * 60_000

/** Runs a job. Resolves to its outcome, described in one line. */
export type Work = (
  job: Job, io: { write: (text: string) => void; signal: AbortSignal },
) => Promise<Outcome>

/** `answer`: the text to deliver; default `detail`. */
export interface Outcome {
  success: boolean
  detail: string
  answer?: string
}

export interface RunnerOptions {
  /** `~/.hermes/cron`. */
  directory: string
  work: Work
  signal: AbortSignal
  /** For jobs that name none. Default: the system's. */
  timeZone?: string | undefined
  /** Most runs kept of each job. Default 50. */
  keepRuns?: number | undefined
  /** Most bytes kept of each output. Default 1 MiB. */
  keepOutput?: number | undefined
  /** Time limit of a run, in milliseconds. Default an hour. */
  runTimeMs?: number | undefined
  /** How late a job that runs once may still run if no runner was working in time, in milliseconds. Default a day. */
  lateMs?: number | undefined
  /** Sends answers of jobs with a target. Without it these wait for a runner that can. */
  deliver?: Deliver | undefined
  onRun?: (run: CronRun) => void
  /** Called for a delivery that ended, or waits for another attempt. */
  onDelivery?: (run: CronRun) => void
  /** Called with one line: unreadable jobs, records that cannot be written. The runner continues. */
  onProblem?: (problem: string) => void
  /** The clock, in milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

/**
 * Runs jobs when they are due. One runner at a time works on a directory.
 *
 * Missed times are made up for once: of all times that passed without a runner, the last one runs, and reports their
 * number. A job that runs once is made up for within a limit, else reported as missed; it is removed after its run. A
 * run that is due before the job's previous run has ended is skipped and reported. A run counts from its start: after a
 * crash it is reported as interrupted, and not started again.
 */
export class CronRunner {
  readonly #log: RunLog
  readonly #lock: LockFile
  readonly #deliveries: Deliveries | undefined
  readonly #running = new Map<string, Promise<void>>()
  /** The last due time of each job that was run or skipped. */
  readonly #handled = new Map<string, number>()

  /** @throws HermesError `LOCKED` where another runner is working */
  constructor(private readonly options: RunnerOptions) {
    this.#log = new RunLog(options.directory, options.keepRuns, options.keepOutput)
    this.#lock = lockService(options.directory, 'cron', {
      who: 'runner', hint: 'One is enough: it notices new jobs. End it first if you want another.',
    })
    const { deliver, signal, onDelivery } = options
    this.#deliveries = deliver && new Deliveries({
      log: this.#log, deliver, signal, onDelivery, now: () => this.#now(),
      onProblem: (error) => this.#tellProblem(error),
    })
    for (const job of this.#log.jobs()) {
      for (const run of this.#log.list(job)) {
        // Since this runner holds the lock, that of the run is dead.
        if (run.outcome === 'running') this.#end({
          ...run, outcome: 'interrupted', detail: 'the runner died; it is not run again', endedMs: this.#now(),
        })
        else this.#deliveries?.takeUp(run)
      }
    }
  }

  /** Runs what is due now, and waits until it has ended. */
  async once(): Promise<void> {
    try {
      await this.#begin()
    } finally {
      await this.close()
    }
  }

  /** Works until the signal is aborted; then ends running jobs. */
  async forever(): Promise<void> {
    const { signal } = this.options
    try {
      while (!signal.aborted) {
        const wait = await this.#beginAndWait()
        await sleep(wait, undefined, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
      }
    } finally {
      await this.close()
    }
  }

  /** Runs one job at once, whatever its schedule. @throws HermesError `ENOENT` */
  async runNow(id: string): Promise<void> {
    try {
      const jobs = readJobs(this.options.directory)
      const job = jobs.find((candidate) => candidate.id === id)
      if (!job) throw noJob(id, jobs)
      const now = this.#now()
      // This counts as the run of an overdue job that runs once.
      this.#start(job, job.atMs !== undefined && job.atMs <= now ? job.atMs : now, 0)
    } finally {
      await this.close()
    }
  }

  /** Waits for running jobs, then releases the lock. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values())
    this.#deliveries?.sendDue()
    await this.#deliveries?.settled()
    this.#lock.release()
  }

  /** @returns how long to wait. Read and write errors may pass: they do not end the runner. */
  async #beginAndWait(): Promise<number> {
    try {
      await this.#begin()
      return Math.max(20, Math.min(LOOK_MS, await this.#nextMs() - this.#now()))
    } catch (error) {
      this.#tellProblem(error)
      return LOOK_MS
    }
  }

  #tellProblem(error: unknown): void {
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
    this.options.onProblem?.(error.message)
  }

  #now(): number {
    return (this.options.now ?? Date.now)()
  }

  async #begin(): Promise<void> {
    this.#deliveries?.sendDue()
    const now = this.#now()
    const { directory, timeZone, lateMs = LATE_MS } = this.options
    for (const job of readJobs(directory)) {
      if (job.atMs !== undefined && await this.#hasRunOnce(job)) continue
      const since = this.#since(job, now)
      const schedule = await jobSchedule(job, timeZone)
      const first = schedule.next(since)
      if (first === undefined || first > now) continue
      const due = schedule.last(now) ?? first
      if (due <= since) continue
      if (job.atMs !== undefined && now - due > lateMs) {
        this.#pass(job, due, 'missed', 'no runner worked at that time or soon after (cron.late); it is not run')
        await this.#removeOnce(job)
      } else if (this.#running.has(job.id)) this.#pass(job, due, 'skipped', 'the run before had not ended')
      else if (this.#running.size < MOST_AT_ONCE) this.#start(job, due, missedBetween(schedule.next, first, due))
    }
  }

  /** Time of the next due job, delivery, or check of the jobs. */
  async #nextMs(): Promise<number> {
    let next = this.#deliveries?.nextMs() ?? Infinity
    for (const job of readJobs(this.options.directory)) {
      const schedule = await jobSchedule(job, this.options.timeZone)
      next = Math.min(next, schedule.next(Math.max(this.#since(job, this.#now()), this.#now())) ?? Infinity)
    }
    return next
  }

  /**
   * The time up to which due times are done. A clock set back a little repeats nothing; times further in the future
   * come from a wrong clock, and would otherwise block the job until then.
   */
  #since(job: Job, now: number): number {
    const handled = this.#handled.get(job.id)
    // A run by hand covers what was due before it.
    const isUsable = (time: number): boolean => time <= now + PUT_BACK_MS
    if (handled !== undefined && isUsable(handled)) return Math.max(handled, job.createdMs)
    const since = Math.max(...[job.createdMs, ...this.#log.list(job.id).map((run) => run.dueMs)].filter(isUsable))
    if (since !== -Infinity) return since
    this.#handled.set(job.id, now)
    return now
  }

  #start(job: Job, dueMs: number, missed: number): void {
    const run: CronRun = {
      id: runId(dueMs), job: job.id, dueMs, startedMs: this.#now(), outcome: 'running', ...(missed > 0 && { missed }),
      ...ofJob(job),
    }
    this.#log.save(run)
    this.#handled.set(job.id, dueMs)
    this.options.onRun?.(run)
    const task = this.#perform(job, run).finally(() => this.#running.delete(job.id))
    this.#running.set(job.id, task)
  }

  async #perform(job: Job, run: CronRun): Promise<void> {
    const { work, signal, runTimeMs = RUN_MS } = this.options
    const limit = AbortSignal.timeout(runTimeMs)
    const both = AbortSignal.any([signal, limit])
    let ended: Pick<CronRun, 'outcome' | 'detail'>
    let answer: string | undefined
    try {
      const done = await work(job, { write: this.#log.writer(run), signal: both })
      ended = { outcome: done.success ? 'done' : 'failed', detail: done.detail }
      if (done.success) answer = done.answer
    } catch (error) {
      // Any error: one job ends neither others nor the runner.
      ended = { outcome: 'failed', detail: error instanceof Error ? error.message : String(error) }
    }
    if (limit.aborted) {
      ended = { outcome: 'failed', detail: `it took longer than ${runTimeMs / 1000} s (cron.run_time)` }
    }
    if (signal.aborted) ended = { outcome: 'interrupted', detail: 'the runner was ended' }
    this.#end({ ...run, ...ended, endedMs: this.#now() }, answer)
    if (run.dueMs === job.atMs) await this.#removeOnce(job)
  }

  #pass(job: Job, dueMs: number, outcome: 'skipped' | 'missed', detail: string): void {
    this.#handled.set(job.id, dueMs)
    this.#end({
      id: runId(dueMs), job: job.id, dueMs, startedMs: this.#now(), endedMs: this.#now(), outcome, detail,
      ...ofJob(job),
    })
  }

  /**
   * Whether a job that runs once has run, or a dead runner had started it: then it is not started again, whatever the
   * clock says.
   */
  async #hasRunOnce(job: Job): Promise<boolean> {
    if (!this.#log.list(job.id).some(({ dueMs }) => dueMs === job.atMs)) return false
    if (!this.#running.has(job.id)) await this.#removeOnce(job)
    return true
  }

  /** Removes a job that ran once; its runs stay in the log. */
  async #removeOnce(job: Job): Promise<void> {
    const { directory } = this.options
    try {
      // Another job may have its name by now.
      await removeJob(directory, job.id, job.createdMs)
      this.#log.pruneOnce(new Set(readJobs(directory).map(({ id }) => id)))
    } catch (error) {
      this.#tellProblem(error)
    }
  }

  #end(ended: CronRun, answer?: string): void {
    const run = told(ended, answer)
    try {
      this.#log.save(run)
    } catch (error) {
      // For example a full disk; the next runner reports it as interrupted.
      this.#tellProblem(error)
    }
    this.options.onRun?.(run)
    this.#deliveries?.takeUp(run)
    this.#deliveries?.sendDue()
  }
}

/** Fields of a run's record that come from its job. */
function ofJob({ atMs, deliver }: Job): Pick<CronRun, 'once' | 'delivery'> {
  return {
    ...(atMs !== undefined && { once: true }),
    ...(deliver !== undefined && { delivery: { to: deliver, state: 'waiting', tries: 0 } }),
  }
}

/** A run with the text to deliver. For a skipped run, the run in progress delivers. */
function told(run: CronRun, answer = `The job ${run.job}: ${run.outcome}, ${run.detail ?? ''}`): CronRun {
  const { delivery, outcome } = run
  if (delivery === undefined) return run
  if (outcome !== 'skipped') return { ...run, delivery: { ...delivery, text: answer.slice(0, MOST_TEXT) } }
  const { delivery: _, ...rest } = run
  return rest
}

/** Largest number of missed times counted. */
const MOST_MISSED = 1000

function missedBetween(next: (afterMs: number) => number | undefined, first: number, due: number): number {
  let missed = 0
  let time: number | undefined = first
  while (time !== undefined && time < due && missed < MOST_MISSED) {
    missed++
    time = next(time)
  }
  return missed
}
