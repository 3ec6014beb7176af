import type { Job, Worker } from 'bullmq'
import { HermesError } from '../../contracts/src/index.js'
import { connect, PREFIX, QUEUE, serverWarnings, type Connection, type OnNotice } from './connection.js'
import { readJob, type ReplayAnswer, type ReplayJob } from './job-schema.js'
import type { QueuePlace } from './queue-place.js'

/** A job is whoever's lock it holds; a worker that is gone renews none, and another takes it up after so long. */
const LOCK_MS = 6000
const STALLED_CHECK_MS = 2000
/** So many workers may vanish at the same transcript; then it is a dead letter. */
const MOST_STALLED = 3

/** What came of a job at a worker. */
export type Done = { kind: 'answer'; answer: ReplayAnswer } | { kind: 'given back' }

export interface WorkerOptions {
  concurrency: number
  /** Of this process, for `--queue-status`. */
  name: string
  /** @throws where it is to be tried again; HermesError `INVALID_JOB` where that would be no use */
  run: (job: ReplayJob, id: string) => Promise<Done>
  onNotice: OnNotice
  /** Called once the queue is there, before the first job is taken. */
  onConnected: () => void
}

/** Takes transcripts from the queue. */
export class QueueWorker {
  readonly #connection: Connection
  readonly #worker: Worker
  /** Jobs that have no answer yet. */
  readonly #active = new Set<Promise<unknown>>()

  private constructor(connection: Connection, options: WorkerOptions) {
    this.#connection = connection
    this.#worker = new connection.bullmq.Worker(QUEUE, (job, token) => this.#counted(this.#process(job, token, options)), {
      prefix: PREFIX, connection: connection.client, concurrency: options.concurrency, name: options.name,
      lockDuration: LOCK_MS, stalledInterval: STALLED_CHECK_MS, maxStalledCount: MOST_STALLED,
    })
    // The connection tells once that it is away; that a lock was lost is no news either: another worker does it then.
    this.#worker.on('error', () => undefined)
  }

  /** Takes from now on. @throws HermesError `NOT_INSTALLED`, `UNREACHABLE` */
  static async open(place: QueuePlace, options: WorkerOptions): Promise<QueueWorker> {
    const connection = await connect(place, options.onNotice)
    for (const warning of await serverWarnings(connection.client)) options.onNotice(warning)
    options.onConnected()
    // To wait until it is ready would fail where Redis goes away meanwhile, with jobs taken already: it connects again by itself.
    return new QueueWorker(connection, options)
  }

  /**
   * Takes no more, and waits until what it is at has been answered or given back; not for long.
   *
   * @returns how many jobs it ended without either: they are run again once their locks are gone
   */
  async close(graceMs = LOCK_MS): Promise<number> {
    await within(graceMs, this.#worker.pause(true).then(() => Promise.allSettled(this.#active)))
    const left = this.#active.size
    await within(graceMs, this.#worker.close(left > 0))
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

  async #process(job: Job, token: string | undefined, { run }: WorkerOptions): Promise<ReplayAnswer> {
    const { UnrecoverableError, WaitingError } = this.#connection.bullmq
    let done: Done
    try {
      done = await run(readJob(job.data), job.id ?? '')
    } catch (error) {
      if (error instanceof HermesError && error.code === 'INVALID_JOB') throw new UnrecoverableError(error.message)
      throw error
    }
    if (done.kind === 'answer') return done.answer
    // It is no failure: the next worker takes it at once.
    await job.moveToWait(token)
    throw new WaitingError()
  }
}

/** Whatever comes of it, and however long it takes. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work.catch(() => undefined), new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
