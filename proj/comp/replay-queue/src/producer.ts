import { createHash } from 'node:crypto'
import type { JobsOptions, Queue, QueueEvents } from 'bullmq'
import { HermesError } from '../../contracts/src/index.js'
import { connect, PREFIX, QUEUE, serverWarnings, type Connection, type OnNotice } from './connection.js'
import { readAnswer, type ReplayAnswer, type ReplayJob } from './job-schema.js'
import type { QueuePlace } from './queue-place.js'

/** What came back of a job: an answer, or why there is none. */
export type JobEnd = { id: string; answer: ReplayAnswer } | { id: string; failed: string }

interface Outstanding {
  job: ReplayJob
  end: (end: JobEnd | undefined) => void
  askedAt: number
}

/** A transcript that a worker died at, or for which a store did not answer, is tried again, here or elsewhere. */
export const ATTEMPTS = 4
const FIRST_RETRY_MS = 500
/** Results that nobody fetched are kept for so long, and dead letters too; in seconds. */
const KEPT_S = 7 * 24 * 3600
const JOB_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS, backoff: { type: 'exponential', delay: FIRST_RETRY_MS, jitter: 0.5 }, stackTraceLimit: 0,
  removeOnComplete: { age: KEPT_S }, removeOnFail: { age: KEPT_S },
}
/** How often it is looked after jobs of which no event came: one may be lost with a connection, or be overtaken. */
const LOOK_MS = 5000
const NO_WORKER_MS = 5000
const CLOSE_MS = 3000

/** Puts transcripts on the queue and hands out what comes back, each exactly once. */
export class QueueProducer {
  readonly #connection: Connection
  readonly #queue: Queue
  readonly #events: QueueEvents
  readonly #run: string
  readonly #outstanding = new Map<string, Outstanding>()
  /** Handed out, and not yet settled. */
  readonly #taken = new Set<string>()
  readonly #isResumed: boolean
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(connection: Connection, { run, isResumed, since }: { run: string; isResumed: boolean; since: string }) {
    this.#connection = connection
    this.#run = run
    this.#isResumed = isResumed
    const { Queue, QueueEvents } = connection.bullmq
    const shared = { prefix: PREFIX }
    this.#queue = new Queue(QUEUE, { ...shared, connection: connection.client })
    this.#events = new QueueEvents(QUEUE, { ...shared, connection: connection.another(), lastEventId: since })
    // The connection tells once that it is away; each part of it would say so too.
    this.#queue.on('error', () => undefined)
    this.#events.on('error', () => undefined)
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue))
    this.#events.on('failed', ({ jobId, failedReason }) => this.#end({ id: jobId, failed: failedReason }))
    this.#lookAgain()
  }

  /**
   * @param run what keeps its jobs apart from those of other runs; the same for a run that goes on
   * @throws HermesError `NOT_INSTALLED`, `UNREACHABLE`
   */
  static async open(
    place: QueuePlace, { run, isResumed, onNotice }: { run: string; isResumed: boolean; onNotice: OnNotice },
  ): Promise<QueueProducer> {
    const connection = await connect(place, onNotice)
    for (const warning of await serverWarnings(connection.client)) onNotice(warning)
    // From the event after the newest: an older one may be of an earlier start, of a job that is run again now.
    const [newest] = await connection.client.xrevrange(`${PREFIX}:${QUEUE}:events`, '+', '-', 'COUNT', 1)
    const producer = new QueueProducer(connection, { run, isResumed, since: newest?.[0] ?? '0-0' })
    setTimeout(() => void producer.#tellWithoutWorkers(onNotice), NO_WORKER_MS).unref()
    return producer
  }

  /**
   * Puts a job on the queue, or finds the one of an earlier start of this run.
   *
   * @param content what the transcript is known by
   * @returns `undefined` where `abandon` was called first
   */
  async run(job: ReplayJob, content: string): Promise<JobEnd | undefined> {
    const id = this.#idOf(job, content)
    const ended = new Promise<JobEnd | undefined>((end) => this.#outstanding.set(id, { job, end, askedAt: Date.now() }))
    await this.#add(id, job)
    if (this.#isResumed) await this.#look(id, { again: true })
    return ended
  }

  /** The result is kept elsewhere now: it may go from the queue. Dead letters stay. */
  async settled(end: JobEnd): Promise<void> {
    this.#taken.delete(end.id)
    if ('answer' in end) await this.#quietly(() => this.#queue.remove(end.id))
  }

  /** Waits no longer for what is outstanding. @returns how many those were */
  async abandon({ isKept }: { isKept: boolean }): Promise<number> {
    const left = [...this.#outstanding]
    this.#outstanding.clear()
    for (const [, { end }] of left) end(undefined)
    // One that a worker is at stays until it is done.
    if (!isKept) await inTime(Promise.all(left.map(([id]) => this.#quietly(() => this.#queue.remove(id)))))
    return left.length
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

  /** The same transcript may be asked for several times at once. */
  #idOf({ settings }: ReplayJob, content: string): string {
    for (let times = 1; ; times++) {
      const key = [this.#run, content, settings, times]
      const id = createHash('sha256').update(JSON.stringify(key)).digest('hex')
      if (!this.#outstanding.has(id) && !this.#taken.has(id)) return id
    }
  }

  async #add(id: string, job: ReplayJob): Promise<void> {
    try {
      await this.#queue.add('replay', job, { ...JOB_OPTIONS, jobId: id })
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
      this.#end({ id, answer: readAnswer(returned) })
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#end({ id, failed: error.message })
    }
  }

  #end(end: JobEnd): void {
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
      void Promise.all(overdue.map((id) => this.#quietly(() => this.#look(id)))).finally(() => {
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
    if (state === 'failed' && again && found) return found.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    if (state === 'completed') this.#completed(id, found?.returnvalue)
    else this.#end({ id, failed: found?.failedReason ?? 'no reason given' })
  }

  async #tellWithoutWorkers(onNotice: OnNotice): Promise<void> {
    if (this.#isClosed || this.#outstanding.size === 0) return
    await this.#quietly(async () => {
      if (await this.#queue.getWorkersCount() === 0) onNotice('No worker takes from the queue yet. Start one: hermes worker --queue …')
    })
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
  return error instanceof Error && /Connection is closed|ECONN|EPIPE|Stream isn't writeable|Command aborted|LOADING/.test(error.message)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error)
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))])
  clearTimeout(timer)
}
