import type { Job, Worker } from 'bullmq'
import { HermesError } from '../../../0-contracts/src/index.js'
import { connect, PREFIX, serverWarnings, type Connection, type OnNotice } from './redis-connection.js'
import type { JobKind, QueueJob } from './job-kind.js'
import type { QueuePlace } from './queue-place.js'
import { Refusals } from './job-refusals.js'

/** A job is whoever's lock it holds; a worker that is gone renews none, and another takes it up after so long. */
const LOCK_MS = 6000
/** It is looked for lost locks so often in the time that they hold. */
const CHECKS_A_LOCK = 3
/** So many workers may vanish at the same job; then it is a dead letter. */
const MOST_STALLED = 3
/** Whoever refuses is quicker than whoever works: for so long it leaves the queue to the others. */
const REST_MS = 2000

/**
 * What came of a job at a worker. `refused`: it may not do it, and another may;
 * the answer counts where none of those that are there will.
 */
export type Done<Answer> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'given back' }
  | { kind: 'refused'; answer: Answer; why: string }

export interface WorkerOptions<TheJob extends QueueJob, Answer> {
  kind: JobKind<TheJob, Answer>
  concurrency: number
  /** Of this process, for `--queue-status`. */
  name: string
  /** @throws where it is to be tried again; HermesError `INVALID_JOB` where that would be no use */
  run: (job: TheJob) => Promise<Done<Answer>>
  onNotice: OnNotice
  /** Called once the queue is there, before the first job is taken. */
  onConnected: () => void
  /** For how long a lock holds that nobody renews, in milliseconds. Default 6000. */
  lockMs?: number
  /** For how long it leaves the queue to others after it refused a job, in milliseconds. Default 2000. */
  restMs?: number
}

/** Takes jobs of one kind from their queue. */
export class QueueWorker<TheJob extends QueueJob, Answer> {
  readonly #connection: Connection
  readonly #worker: Worker
  readonly #refusals: Refusals
  /** Jobs that have no answer yet. */
  readonly #active = new Set<Promise<unknown>>()
  #rest: NodeJS.Timeout | undefined
  #isClosing = false

  private constructor(connection: Connection, worker: Worker, refusals: Refusals) {
    this.#connection = connection
    this.#worker = worker
    this.#refusals = refusals
  }

  /** Takes from now on. @throws HermesError `UNREACHABLE` */
  static async open<TheJob extends QueueJob, Answer>(
    place: QueuePlace, options: WorkerOptions<TheJob, Answer>,
  ): Promise<QueueWorker<TheJob, Answer>> {
    const { kind: { queue, what }, concurrency, name, onNotice, onConnected, lockMs = LOCK_MS } = options
    const connection = await connect(place, onNotice)
    try {
      for (const warning of await serverWarnings(connection.client, what)) onNotice(warning)
      onConnected()
      const take = (job: Job, token: string | undefined): Promise<Answer> =>
        taker.#counted(taker.#process(job, token, options))
      const refusals = await Refusals.open(connection, { queue, name })
      // No job before all of its connections are there.
      const worker = await connection.begun(() => new connection.bullmq.Worker(queue, take, {
        prefix: PREFIX, connection: connection.client, concurrency, name, autorun: false,
        lockDuration: lockMs, stalledInterval: lockMs / CHECKS_A_LOCK, maxStalledCount: MOST_STALLED,
      }))
      const taker: QueueWorker<TheJob, Answer> = new QueueWorker(connection, worker, refusals)
      // That a lock was lost is no news: another worker does it then.
      worker.run().catch(() => undefined)
      return taker
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /**
   * Takes no more, and waits until what it is at has been answered or given back; not for long.
   *
   * @returns how many jobs it ended without either: they are run again once their locks are gone
   */
  async close(graceMs = LOCK_MS): Promise<number> {
    this.#isClosing = true
    clearTimeout(this.#rest)
    await within(graceMs, this.#worker.pause(true).then(() => Promise.allSettled(this.#active)))
    const left = this.#active.size
    await within(graceMs, this.#worker.close(left > 0))
    await within(graceMs, this.#refusals.close())
    this.#connection.close()
    return left
  }

  async #counted<T>(work: Promise<T>): Promise<T> {
    this.#active.add(work)
    try {
      return await work
    } finally {
      this.#active.delete(work)
    }
  }

  async #process(
    job: Job, token: string | undefined, { kind, run, restMs = REST_MS }: WorkerOptions<TheJob, Answer>,
  ): Promise<Answer> {
    const { UnrecoverableError, WaitingError } = this.#connection.bullmq
    let done: Done<Answer>
    try {
      done = await run(kind.readJob(job.data))
    } catch (error) {
      if (error instanceof HermesError && error.code === 'INVALID_JOB') throw new UnrecoverableError(error.message)
      throw error
    }
    if (done.kind === 'answer') return done.answer
    if (done.kind === 'refused') {
      if (!await this.#refusals.mayBeTaken(job, done.why)) return done.answer
      await this.#restAWhile(restMs)
    }
    // It is no failure: the next worker takes it at once.
    await job.moveToWait(token)
    throw new WaitingError()
  }

  async #restAWhile(restMs: number): Promise<void> {
    if (this.#isClosing) return
    clearTimeout(this.#rest)
    await this.#worker.pause(true)
    this.#rest = setTimeout(() => {
      if (!this.#isClosing) this.#worker.resume().catch(() => undefined)
    }, restMs)
  }
}

/** Whatever comes of it, and however long it takes. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work.catch(() => undefined), new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
