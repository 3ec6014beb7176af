import type { ChildProcess } from 'node:child_process'
import { plural } from '../../reports/src/index.js'
import type { Transcript } from '../../transcripts/src/index.js'
import type { Replayed } from './replay-transcript.js'
import { unrunReport } from './unrun-report.js'

/** What a worker is told. */
export type ToWorker<Plan = number> = { type: 'run'; job: number; plan: Plan; transcript: Transcript } | { type: 'stop' }
/** What it answers; `ready` once it has read its options. */
export type FromWorker = { type: 'ready' } | { type: 'done'; job: number; replayed: Replayed }

/** What came of a transcript, and the number of the worker; `lost`: as many as may have died at it, or none can be started. */
export interface FromPool {
  worker: number
  replayed: Replayed
  lost?: 'died' | 'not started'
}

interface Job<Plan> {
  id: number
  plan: Plan
  transcript: Transcript
  /** Workers that died while they ran it. */
  deaths: number
  resolve: (done: FromPool) => void
}

interface Worker<Plan> {
  /** From 1. */
  number: number
  child: ChildProcess
  isReady: boolean
  /** In the order it runs them: the first is the one it is at. */
  jobs: Job<Plan>[]
}

/** That so many workers die at the same transcript is no chance. */
const MOST_DEATHS = 4
/** So many in a row that died before they were ready: the next will, too. */
const MOST_FAILED_STARTS = 20
/** Longer than commands that are asked to end are given. */
const MOST_CLOSING_MS = 15_000

/**
 * Processes that replay transcripts. Where one dies, another takes its place: the transcript it was at is tried again, and
 * those that waited in its queue are given to others. Each transcript is answered exactly once.
 */
export class WorkerPool<Plan = number> {
  readonly #spawn: (number: number) => ChildProcess
  readonly #batch: number
  readonly #mostDeaths: number
  #workers: Worker<Plan>[] = []
  #waiting: Job<Plan>[] = []
  #nextJob = 1
  #isClosed = false
  #failedStarts = 0
  /** Set once no worker is left and none is started any more. */
  #lastDeath: Worker<Plan> | undefined

  /**
   * @param batch transcripts that a worker may have at a time
   * @param mostDeaths so many workers may die at a transcript; then that is its result
   */
  constructor(count: number, batch: number, spawn: (number: number) => ChildProcess, mostDeaths = MOST_DEATHS) {
    this.#mostDeaths = mostDeaths
    this.#spawn = spawn
    this.#batch = batch
    this.#workers = Array.from({ length: count }, (_, index) => this.#start(index + 1))
  }

  /** Resolves with what came of it, and which worker it was; never rejects. */
  run(plan: Plan, transcript: Transcript): Promise<FromPool> {
    return new Promise((resolve) => {
      this.#waiting.push({ id: this.#nextJob++, plan, transcript, deaths: 0, resolve })
      this.#hand()
    })
  }

  /** Tells all to stop what they are at. */
  stop(): void {
    for (const { child } of this.#workers) if (child.connected) child.send({ type: 'stop' } satisfies ToWorker<Plan>)
  }

  /** Ends the workers and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#workers.map(async ({ child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      if (child.connected) child.disconnect()
      else child.kill('SIGKILL')
      // One that hears nothing any more is ended.
      const impatience = setTimeout(() => child.kill('SIGKILL'), MOST_CLOSING_MS)
      await gone
      clearTimeout(impatience)
    }))
  }

  #start(number: number): Worker<Plan> {
    const worker: Worker<Plan> = { number, child: this.#spawn(number), isReady: false, jobs: [] }
    worker.child.on('message', (message) => this.#heard(worker, message as FromWorker))
    worker.child.once('exit', () => this.#died(worker))
    // It could not be started, or is gone while it is sent something.
    worker.child.on('error', () => this.#died(worker))
    return worker
  }

  #heard(worker: Worker<Plan>, message: FromWorker): void {
    if (message.type === 'ready') {
      worker.isReady = true
      this.#failedStarts = 0
      this.#hand()
      return
    }
    const at = worker.jobs.findIndex(({ id }) => id === message.job)
    const [job] = at === -1 ? [] : worker.jobs.splice(at, 1)
    job?.resolve({ worker: worker.number, replayed: message.replayed })
    this.#hand()
  }

  #died(worker: Worker<Plan>): void {
    const at = this.#workers.indexOf(worker)
    if (at === -1 || this.#isClosed) return
    const [first, ...queued] = worker.jobs
    worker.jobs = []
    if (!worker.isReady) this.#failedStarts++
    if (first) first.deaths++
    const lost = first && first.deaths >= this.#mostDeaths ? first : undefined
    this.#waiting.unshift(...(first && !lost ? [first] : []), ...queued)
    if (lost) lost.resolve({ worker: worker.number, replayed: died(lost, worker.child), lost: 'died' })
    if (this.#failedStarts >= MOST_FAILED_STARTS) {
      this.#workers.splice(at, 1)
      if (this.#workers.length === 0) this.#lastDeath = worker
    } else this.#workers[at] = this.#start(worker.number)
    this.#hand()
  }

  /** Gives what waits to the workers that have least to do. */
  #hand(): void {
    const last = this.#lastDeath
    if (last) {
      for (const job of this.#waiting.splice(0)) {
        job.resolve({ worker: last.number, replayed: died(job, last.child), lost: 'not started' })
      }
    }
    while (this.#waiting.length > 0) {
      const [free] = this.#workers.filter(({ isReady, jobs, child }) => isReady && jobs.length < this.#batch && child.connected)
        .sort((a, b) => a.jobs.length - b.jobs.length)
      const job = free && this.#waiting.shift()
      if (!free || !job) return
      free.jobs.push(job)
      try {
        free.child.send({ type: 'run', job: job.id, plan: job.plan, transcript: job.transcript } satisfies ToWorker<Plan>)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        // It cannot be put into a message: no process gets it.
        free.jobs.splice(free.jobs.indexOf(job), 1)
        job.resolve({ worker: free.number, replayed: unsendable(job.transcript, 'It', error) })
      }
    }
  }
}

function died({ transcript, deaths }: Job<unknown>, { signalCode, exitCode }: ChildProcess): Replayed {
  const how = signalCode === null ? `exit code ${exitCode ?? 'none'}` : signalCode
  return unrunReport(transcript, {
    code: 'INTERNAL', message: deaths === 0 ? `no worker can be started (${how})` : `${plural(deaths, 'worker')} died at it (${how})`,
    hint: 'Replay it alone to see why; memory may have run out.',
  })
}

function unsendable(transcript: Transcript, what: string, { name, message }: Error): Replayed {
  const { name: called, file, line, format } = transcript
  // Its hash may be what cannot be made.
  return unrunReport({ name: called, file, line, format, turns: [] }, {
    code: 'INTERNAL', message: `${what} cannot be sent between processes (${name}: ${message})`, hint: 'Replay it without --workers.',
  })
}

/**
 * The other end: runs what it is given, one after the other, until the pool is gone.
 *
 * @param stop aborts what runs
 */
export async function serveAsWorker<Plan = number>(
  run: (plan: Plan, transcript: Transcript) => Promise<Replayed>, stop: () => void,
): Promise<void> {
  const send = (message: FromWorker): void => {
    // A pool that is gone, before or meanwhile, wants no answer.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
  let last: Promise<void> = Promise.resolve()
  process.on('message', (message: ToWorker<Plan>) => {
    if (message.type === 'stop') stop()
    else {
      const { job, plan, transcript } = message
      const before = last
      last = (async () => {
        await before
        const replayed = await run(plan, transcript)
        try {
          send({ type: 'done', job, replayed })
        } catch (error) {
          if (!(error instanceof Error)) throw error
          send({ type: 'done', job, replayed: unsendable(transcript, 'What came of it', error) })
        }
      })()
    }
  })
  const gone = new Promise<void>((resolve) => process.once('disconnect', () => {
    stop()
    resolve()
  }))
  send({ type: 'ready' })
  await gone
  await last
}
