import { createHash } from 'node:crypto'
import type { JobsOptions, Queue, QueueEvents } from 'bullmq'
import { caught, caughtLater, HermesError } from '../../../0-contracts/src/index.js'
import { connect, PREFIX, serverWarnings, within, type Connection, type OnNotice } from './redis-connection.js'
import type { JobKind, QueueJob } from './job-kind.js'
import type { QueuePlace } from './queue-place.js'

/** The end of a job: an answer, or why there is none. */
export type JobEnd<Answer> = { id: string; answer: Answer } | { id: string; failed: string }

interface Outstanding<Job, Answer> {
  job: Job
  end: (end: JobEnd<Answer> | undefined) => void
  askedAt: number
}

/**
 * Number of attempts at a job: if its worker died, or a store did not respond, it is tried again, here or elsewhere.
 */
export const ATTEMPTS = 4
const FIRST_RETRY_MS = 500
/** How long results that nobody fetched, and dead letters, are kept, in seconds. */
const KEPT_S = 7 * 24 * 3600
const JOB_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS, stackTraceLimit: 0, removeOnComplete: { age: KEPT_S }, removeOnFail: { age: KEPT_S },
}
/** How often to check jobs without an event, in milliseconds: one may be lost with a connection, or overtaken. */
const LOOK_MS = 5000
const CLOSE_MS = 3000
/** BullMQ's states of jobs that no worker has started. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed'])

export interface ProducerOptions<Job extends QueueJob, Answer> {
  kind: JobKind<Job, Answer>
  /** Distinguishes the jobs of this run from those of others; the same when a run is resumed. */
  run: string
  isResumed: boolean
  onNotice: OnNotice
  /** Delay before the first retry of a job, in milliseconds; doubles each time. Default 500. */
  retryMs?: number
}

/** Which jobs stay on the queue when nobody waits for them any more: all, those started or done, or none. */
export type Kept = 'all' | 'begun' | 'none'

/** Puts jobs on the queue and returns their results, each exactly once. */
export class QueueProducer<Job extends QueueJob, Answer> {
  readonly #outstanding = new Map<string, Outstanding<Job, Answer>>()
  /** Ids of jobs whose results were returned and are not settled yet. */
  readonly #taken = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** As last reported. */
  #hasWorkers = true

  private constructor(
    private readonly connection: Connection, private readonly queue: Queue, private readonly events: QueueEvents,
    private readonly options: ProducerOptions<Job, Answer>,
  ) {
    this.events.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue))
    this.events.on('failed', ({ jobId, failedReason }) => this.#end({ id: jobId, failed: failedReason }))
    this.#lookAgain()
  }

  /** @throws HermesError `NOT_INSTALLED`, `UNREACHABLE` */
  static async open<Job extends QueueJob, Answer>(
    place: QueuePlace, options: ProducerOptions<Job, Answer>,
  ): Promise<QueueProducer<Job, Answer>> {
    const { kind, onNotice } = options
    const connection = await connect(place, onNotice)
    const { bullmq: { Queue, QueueEvents }, client } = connection
    try {
      for (const warning of await serverWarnings(client, kind.what)) onNotice(warning)
      // Start after the newest event: older ones may belong to an earlier start, of a job that runs again now.
      const [newest] = await client.xrevrange(`${PREFIX}:${kind.queue}:events`, '+', '-', 'COUNT', 1)
      const queue = await connection.begun(() => new Queue(kind.queue, { prefix: PREFIX, connection: client }))
      const events = await connection.begun(() => new QueueEvents(kind.queue, {
        prefix: PREFIX, connection: connection.another(), lastEventId: newest?.[0] ?? '0-0',
      }))
      return new QueueProducer(connection, queue, events, options)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /**
   * Puts a job on the queue, or finds the one from an earlier start of this run.
   *
   * @param content identifies the work
   * @returns `undefined` if `abandon` was called first
   */
  async run(job: Job, content: string): Promise<JobEnd<Answer> | undefined> {
    const id = this.#idOf(job, content)
    const ended = new Promise<JobEnd<Answer> | undefined>((end) =>
      this.#outstanding.set(id, { job, end, askedAt: Date.now() }))
    await this.#add(id, job)
    if (this.options.isResumed) await this.#look(id, { again: true })
    return ended
  }

  /** Called when the result is stored: removes it from the queue. Dead letters stay. */
  async settled(end: JobEnd<Answer>): Promise<void> {
    this.#taken.delete(end.id)
    if ('answer' in end) await this.#quietly(() => this.queue.remove(end.id))
  }

  /** Stops waiting for outstanding jobs. @returns how many of these are still on the queue */
  async abandon(kept: Kept): Promise<number> {
    const left = [...this.#outstanding]
    this.#outstanding.clear()
    for (const [, { end }] of left) end(undefined)
    if (kept === 'all') return left.length
    let removed = 0
    await within(CLOSE_MS, Promise.all(left.map(([id]) => this.#quietly(async () => {
      if (kept === 'begun' && !NOT_BEGUN.has(await this.queue.getJobState(id))) return
      // A job in progress stays until it is done.
      const gone = await this.queue.remove(id)
      removed += gone
    }))))
    return left.length - removed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // This waits for an event, until its connection is closed.
    const events = this.events.close()
    await within(CLOSE_MS, this.#quietly(() => this.queue.close()))
    this.connection.close()
    await within(CLOSE_MS, this.#quietly(() => events))
  }

  /** A unique id; the same work may be requested several times at once. */
  #idOf({ settings }: Job, content: string): string {
    for (let times = 1; ; times++) {
      const key = [this.options.run, content, settings, times]
      const id = createHash('sha256').update(JSON.stringify(key)).digest('hex')
      if (!this.#outstanding.has(id) && !this.#taken.has(id)) return id
    }
  }

  async #add(id: string, job: Job): Promise<void> {
    const { kind, retryMs = FIRST_RETRY_MS } = this.options
    const backoff = { type: 'exponential', delay: retryMs, jitter: 0.5 }
    try {
      await this.queue.add(kind.job, job, { ...JOB_OPTIONS, backoff, jobId: id })
    } catch (error) {
      // The connection was lost meanwhile, so the job may be there or not: the next check shows.
      if (!this.#isClosed && isLost(error)) return
      this.#outstanding.delete(id)
      if (this.#isClosed) return
      throw new HermesError('UNREACHABLE', `The queue takes no more (${wordsOf(error)})`, {
        hint: 'Look at the memory of Redis (maxmemory), and at who may write there.', cause: error,
      })
    }
  }

  #completed(id: string, returned: unknown): void {
    if (!this.#outstanding.has(id)) return
    const read = (): JobEnd<Answer> => ({ id, answer: this.options.kind.readAnswer(returned) })
    this.#end(caught(HermesError, read, ({ message }) => ({ id, failed: message })))
  }

  #end(end: JobEnd<Answer>): void {
    const outstanding = this.#outstanding.get(end.id)
    if (!outstanding) return
    this.#outstanding.delete(end.id)
    this.#taken.add(end.id)
    outstanding.end(end)
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => {
      const before = Date.now() - LOOK_MS
      const overdue = [...this.#outstanding].filter(([, { askedAt }]) => askedAt < before).map(([id]) => id)
      const looks = overdue.map((id) => this.#quietly(() => this.#look(id)))
      void Promise.all([...looks, this.#quietly(() => this.#lookForWorkers())]).finally(() => {
        if (!this.#isClosed) this.#lookAgain()
      })
    }, LOOK_MS)
  }

  /**
   * Checks the state of a job on the queue, independently of events.
   *
   * @param again whether a failed job of an earlier start is run again, since a store or worker may be there now
   */
  async #look(id: string, { again = false } = {}): Promise<void> {
    const state = await this.queue.getJobState(id)
    const outstanding = this.#outstanding.get(id)
    if (!outstanding) return
    outstanding.askedAt = Date.now()
    if (state === 'unknown') return this.#add(id, outstanding.job)
    if (state !== 'completed' && state !== 'failed') return
    const job = await this.queue.getJob(id)
    if (state === 'failed' && again && job) {
      return job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    }
    if (state === 'completed') this.#completed(id, job?.returnvalue)
    else this.#end({ id, failed: job?.failedReason ?? 'no reason given' })
  }

  /** Reports once when no worker is present. */
  async #lookForWorkers(): Promise<void> {
    if (this.#outstanding.size === 0) return
    const hadWorkers = this.#hasWorkers
    this.#hasWorkers = await this.queue.getWorkersCount() > 0
    if (!hadWorkers || this.#hasWorkers || this.#isClosed) return
    const { what, workerCommand } = this.options.kind
    this.options.onNotice(`No worker takes ${what} from the queue. Start one: ${workerCommand}`)
  }

  /** For operations that may fail while the queue is unreachable: they are repeated later, or unnecessary. */
  async #quietly(act: () => Promise<unknown>): Promise<void> {
    await caughtLater(Error, act, () => undefined)
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error
    && /Connection is closed|ECONN|EPIPE|Stream isn't writeable|Command aborted|LOADING/.test(error.message)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error)
}
