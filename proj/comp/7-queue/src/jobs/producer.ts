import { createHash } from 'node:crypto'
import type { JobsOptions, Queue, QueueEvents } from 'bullmq'
import { HermesError } from '../../../0-contracts/src/index.js'
import { connect, PREFIX, serverWarnings, type Connection, type OnNotice } from './redis-connection.js'
import type { JobKind, QueueJob } from './job-kind.js'
import type { QueuePlace } from './queue-place.js'

/** What came back of a job: an answer, or why there is none. */
export type JobEnd<Answer> = { id: string; answer: Answer } | { id: string; failed: string }

interface Outstanding<Job, Answer> {
  job: Job
  end: (end: JobEnd<Answer> | undefined) => void
  askedAt: number
}

/** What a worker died at, or for which a store did not answer, is tried again, here or elsewhere. */
export const ATTEMPTS = 4
const FIRST_RETRY_MS = 500
/** Results that nobody fetched are kept for so long, and dead letters too; in seconds. */
const KEPT_S = 7 * 24 * 3600
const JOB_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS, stackTraceLimit: 0, removeOnComplete: { age: KEPT_S }, removeOnFail: { age: KEPT_S },
}
/** How often it is looked after jobs of which no event came: one may be lost with a connection, or be overtaken. */
const LOOK_MS = 5000
const CLOSE_MS = 3000
/** What the queue calls those that no worker has begun. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed'])

export interface ProducerOptions<Job extends QueueJob, Answer> {
  kind: JobKind<Job, Answer>
  /** What keeps its jobs apart from those of other runs; the same for a run that goes on. */
  run: string
  isResumed: boolean
  onNotice: OnNotice
  /** Until a job is first tried again, in milliseconds; twice as long each time. Default 500. */
  retryMs?: number
}

/**
 * Which jobs stay on the queue when nobody waits for them any more: all, those that a worker has begun or done,
 * or none.
 */
export type Kept = 'all' | 'begun' | 'none'

/** Puts jobs on the queue and hands out what comes back, each exactly once. */
export class QueueProducer<Job extends QueueJob, Answer> {
  readonly #kind: JobKind<Job, Answer>
  readonly #onNotice: OnNotice
  readonly #connection: Connection
  readonly #queue: Queue
  readonly #events: QueueEvents
  readonly #run: string
  readonly #outstanding = new Map<string, Outstanding<Job, Answer>>()
  /** Handed out, and not yet settled. */
  readonly #taken = new Set<string>()
  readonly #isResumed: boolean
  readonly #retryMs: number
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** As far as was told. */
  #hasWorkers = true

  private constructor(
    { connection, queue, events }: { connection: Connection; queue: Queue; events: QueueEvents },
    { kind, run, isResumed, onNotice, retryMs = FIRST_RETRY_MS }: ProducerOptions<Job, Answer>,
  ) {
    this.#kind = kind
    this.#onNotice = onNotice
    this.#connection = connection
    this.#run = run
    this.#isResumed = isResumed
    this.#retryMs = retryMs
    this.#queue = queue
    this.#events = events
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue))
    this.#events.on('failed', ({ jobId, failedReason }) => this.#end({ id: jobId, failed: failedReason }))
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
      // From the event after the newest: an older one may be of an earlier start, of a job that is run again now.
      const [newest] = await client.xrevrange(`${PREFIX}:${kind.queue}:events`, '+', '-', 'COUNT', 1)
      const queue = await connection.begun(() => new Queue(kind.queue, { prefix: PREFIX, connection: client }))
      const events = await connection.begun(() => new QueueEvents(kind.queue, {
        prefix: PREFIX, connection: connection.another(), lastEventId: newest?.[0] ?? '0-0',
      }))
      return new QueueProducer({ connection, queue, events }, options)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /**
   * Puts a job on the queue, or finds the one of an earlier start of this run.
   *
   * @param content what is to be done is known by this
   * @returns `undefined` where `abandon` was called first
   */
  async run(job: Job, content: string): Promise<JobEnd<Answer> | undefined> {
    const id = this.#idOf(job, content)
    const ended = new Promise<JobEnd<Answer> | undefined>((end) =>
      this.#outstanding.set(id, { job, end, askedAt: Date.now() }))
    await this.#add(id, job)
    if (this.#isResumed) await this.#look(id, { again: true })
    return ended
  }

  /** The result is kept elsewhere now: it may go from the queue. Dead letters stay. */
  async settled(end: JobEnd<Answer>): Promise<void> {
    this.#taken.delete(end.id)
    if ('answer' in end) await this.#quietly(() => this.#queue.remove(end.id))
  }

  /** Waits no longer for what is outstanding. @returns how many of those are still on the queue */
  async abandon(kept: Kept): Promise<number> {
    const left = [...this.#outstanding]
    this.#outstanding.clear()
    for (const [, { end }] of left) end(undefined)
    if (kept === 'all') return left.length
    let removed = 0
    await inTime(Promise.all(left.map(([id]) => this.#quietly(async () => {
      if (kept === 'begun' && !NOT_BEGUN.has(await this.#queue.getJobState(id))) return
      // One that a worker is at stays until it is done.
      const gone = await this.#queue.remove(id)
      removed += gone
    }))))
    return left.length - removed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // It waits for an event: the loss of its connection ends that.
    const events = this.#events.close()
    await inTime(this.#quietly(() => this.#queue.close()))
    this.#connection.close()
    await inTime(this.#quietly(() => events))
  }

  /** The same may be asked for several times at once. */
  #idOf({ settings }: Job, content: string): string {
    for (let times = 1; ; times++) {
      const key = [this.#run, content, settings, times]
      const id = createHash('sha256').update(JSON.stringify(key)).digest('hex')
      if (!this.#outstanding.has(id) && !this.#taken.has(id)) return id
    }
  }

  async #add(id: string, job: Job): Promise<void> {
    const backoff = { type: 'exponential', delay: this.#retryMs, jitter: 0.5 }
    try {
      await this.#queue.add(this.#kind.job, job, { ...JOB_OPTIONS, backoff, jobId: id })
    } catch (error) {
      // The connection was lost in the middle: it may be there or not, which the next look shows.
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
    try {
      this.#end({ id, answer: this.#kind.readAnswer(returned) })
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#end({ id, failed: error.message })
    }
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
   * What the queue has of a job, whatever events came.
   *
   * @param again what failed in an earlier start is run again: a store or a worker may be there now
   */
  async #look(id: string, { again = false } = {}): Promise<void> {
    const state = await this.#queue.getJobState(id)
    const outstanding = this.#outstanding.get(id)
    if (!outstanding) return
    outstanding.askedAt = Date.now()
    if (state === 'unknown') return this.#add(id, outstanding.job)
    if (state !== 'completed' && state !== 'failed') return
    const found = await this.#queue.getJob(id)
    if (state === 'failed' && again && found) {
      return found.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    }
    if (state === 'completed') this.#completed(id, found?.returnvalue)
    else this.#end({ id, failed: found?.failedReason ?? 'no reason given' })
  }

  /** Tells once when none is there. */
  async #lookForWorkers(): Promise<void> {
    if (this.#outstanding.size === 0) return
    const hadWorkers = this.#hasWorkers
    this.#hasWorkers = await this.#queue.getWorkersCount() > 0
    if (!hadWorkers || this.#hasWorkers || this.#isClosed) return
    this.#onNotice(`No worker takes ${this.#kind.what} from the queue. Start one: ${this.#kind.workerCommand}`)
  }

  /** For what may be left out when the queue is away: it is looked after again, or goes by its age. */
  async #quietly(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error
    && /Connection is closed|ECONN|EPIPE|Stream isn't writeable|Command aborted|LOADING/.test(error.message)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error)
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))])
  clearTimeout(timer)
}
