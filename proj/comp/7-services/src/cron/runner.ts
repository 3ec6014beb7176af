import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeOwnDirectory, writingOwn } from '../../../2-config/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { LockFile } from '../../../2-files/src/index.js'
import { Deliveries, type Deliver } from './deliveries.js'
import { noJob, readJobs, removeJob, type Job } from './jobs.js'
import { RunLog, runId, type CronRun } from './runs.js'
import { jobSchedule } from './schedule.js'

/** Jobs that were added or removed, and a clock that was set, are noticed within this time. */
const LOOK_MS = 15_000
const MOST_AT_ONCE = 4
/** A clock that is put back by less repeats no run. */
const PUT_BACK_MS = 3 * 60 * 60_000
/** Characters kept of what is to be sent. */
const MOST_TEXT = 32_000
/** How late a job that runs once is made up where nothing is set. */
const LATE_MS = 24 * 60 * 60_000
/** How long a run may take where nothing is set. */
const RUN_MS = 60 * 60_000

/** What a job does. It resolves with one line about the outcome. */
export type Work = (
  job: Job, io: { write: (text: string) => void; signal: AbortSignal },
) => Promise<Outcome>

/** `answer`: what is delivered of it; default `detail`. */
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
  /** Of jobs that name none. Default: that of the system. */
  timeZone?: string | undefined
  /** Kept of each job. Default 50. */
  keepRuns?: number | undefined
  /** Kept of each output, in bytes. Default 1 MiB. */
  keepOutput?: number | undefined
  /** Longest time of a run, in milliseconds. Default an hour. */
  runTimeMs?: number | undefined
  /** How late a job that runs once may run, where no runner worked in time, in milliseconds. Default a day. */
  lateMs?: number | undefined
  /** Sends answers of jobs that deliver. Without it these wait for a runner that can. */
  deliver?: Deliver | undefined
  onRun?: (run: CronRun) => void
  /** A delivery that has ended, or waits for another try. */
  onDelivery?: (run: CronRun) => void
  /** One line: jobs that cannot be read, records that cannot be written. The runner goes on. */
  onProblem?: (problem: string) => void
  /** The clock, in milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

/**
 * Runs jobs when they are due. One runner at a time works on a directory.
 *
 * Missed times are made up once: of all that passed while no runner worked, the last is run and tells how many there
 * were; what was to run once is made up within a bound, else told as missed, and removed when it has run. A run that
 * is due while the job's run before has not ended is skipped, and told so. A run counts as made from
 * the moment it begins: after a crash it is told as interrupted, and not begun again.
 */
export class CronRunner {
  readonly #options: RunnerOptions
  readonly #log: RunLog
  readonly #lock: LockFile
  readonly #deliveries: Deliveries | undefined
  readonly #running = new Map<string, Promise<void>>()
  /** The last time of a job that was run or skipped. */
  readonly #handled = new Map<string, number>()

  /** @throws HermesError `LOCKED` where another runner works */
  constructor(options: RunnerOptions) {
    this.#options = options
    this.#log = new RunLog(options.directory, options.keepRuns, options.keepOutput)
    const lock = writingOwn(options.directory, () => {
      makeOwnDirectory(options.directory)
      return LockFile.tryAt(join(options.directory, 'lock'), 'cron')
    })
    if (!(lock instanceof LockFile)) {
      throw new HermesError('LOCKED', `Another runner works already (process ${lock.pid} on ${lock.host})`, {
        hint: 'One is enough: it notices new jobs. End it first if you want another.',
      })
    }
    this.#lock = lock
    const { deliver, signal, onDelivery } = options
    this.#deliveries = deliver && new Deliveries({
      log: this.#log, deliver, signal, onDelivery, now: () => this.#now(),
      onProblem: (error) => this.#tellProblem(error),
    })
    for (const job of this.#log.jobs()) {
      for (const run of this.#log.list(job)) {
        if (run.outcome === 'running') this.#tellInterrupted(run)
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

  /** Works until the signal; then what runs is ended. */
  async forever(): Promise<void> {
    const { signal } = this.#options
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
      const jobs = readJobs(this.#options.directory)
      const job = jobs.find((one) => one.id === id)
      if (!job) throw noJob(id, jobs)
      const now = this.#now()
      // One that runs once and is late has run then.
      this.#start(job, job.atMs !== undefined && job.atMs <= now ? job.atMs : now, 0)
    } finally {
      await this.close()
    }
  }

  /** Waits for what runs, and lets another runner work. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values())
    this.#deliveries?.sendDue()
    await this.#deliveries?.settled()
    this.#lock.release()
  }

  /** @returns how long to wait. What cannot be read or written now may be later: it does not end the runner. */
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
    this.#options.onProblem?.(error.message)
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }

  async #begin(): Promise<void> {
    this.#deliveries?.sendDue()
    const now = this.#now()
    const { directory, timeZone, lateMs = LATE_MS } = this.#options
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

  /** When something is due next, or a look at the jobs. */
  async #nextMs(): Promise<number> {
    let next = this.#deliveries?.nextMs() ?? Infinity
    for (const job of readJobs(this.#options.directory)) {
      const schedule = await jobSchedule(job, this.#options.timeZone)
      next = Math.min(next, schedule.next(Math.max(this.#since(job, this.#now()), this.#now())) ?? Infinity)
    }
    return next
  }

  /**
   * What was due up to then has been seen to. A clock that was put back a little repeats nothing; times that are
   * further ahead come from a clock that went wrong, and would keep the job from running until then.
   */
  #since(job: Job, now: number): number {
    const handled = this.#handled.get(job.id)
    // A run by hand counts for what was due before it.
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
    this.#options.onRun?.(run)
    const task = this.#perform(job, run).finally(() => this.#running.delete(job.id))
    this.#running.set(job.id, task)
  }

  async #perform(job: Job, run: CronRun): Promise<void> {
    const { work, signal, runTimeMs = RUN_MS } = this.#options
    const limit = AbortSignal.timeout(runTimeMs)
    const both = AbortSignal.any([signal, limit])
    let ended: Pick<CronRun, 'outcome' | 'detail'>
    let answer: string | undefined
    try {
      const done = await work(job, { write: this.#log.writer(run), signal: both })
      ended = { outcome: done.success ? 'done' : 'failed', detail: done.detail }
      if (done.success) answer = done.answer
    } catch (error) {
      // Whatever it is: one job ends no other, and not the runner.
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

  /** What a runner that died had begun or told is not begun again, wherever the clock stands. */
  async #hasRunOnce(job: Job): Promise<boolean> {
    if (!this.#log.list(job.id).some(({ dueMs }) => dueMs === job.atMs)) return false
    if (!this.#running.has(job.id)) await this.#removeOnce(job)
    return true
  }

  /** Its runs stay in the log. */
  async #removeOnce(job: Job): Promise<void> {
    const { directory } = this.#options
    try {
      // Another may have its name by now.
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
      // Of a full disk, say; the next runner tells it as interrupted.
      this.#tellProblem(error)
    }
    this.#options.onRun?.(run)
    this.#deliveries?.takeUp(run)
    this.#deliveries?.sendDue()
  }

  /** The lock is held: whoever began it is gone. */
  #tellInterrupted(run: CronRun): void {
    this.#end({
      ...run, outcome: 'interrupted', detail: 'the runner died; it is not run again', endedMs: this.#now(),
    })
  }
}

/** What the record of a run has of its job. */
function ofJob({ atMs, deliver }: Job): Pick<CronRun, 'once' | 'delivery'> {
  return {
    ...(atMs !== undefined && { once: true }),
    ...(deliver !== undefined && { delivery: { to: deliver, state: 'waiting', tries: 0 } }),
  }
}

/** With what is sent of it. What was skipped is made by the run that goes on. */
function told(run: CronRun, answer = `The job ${run.job}: ${run.outcome}, ${run.detail ?? ''}`): CronRun {
  const { delivery, outcome } = run
  if (delivery === undefined) return run
  if (outcome !== 'skipped') return { ...run, delivery: { ...delivery, text: answer.slice(0, MOST_TEXT) } }
  const { delivery: _, ...rest } = run
  return rest
}

/** Counted up to this. */
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
