import type { Job, Queue, Worker } from 'bullmq'
import { HermesError, isRecord, tracked } from '../../../0-contracts/src/index.js'
import { connect, PREFIX, serverWarnings, within, type Connection, type OnNotice } from './redis-connection.js'
import type { JobKind, QueueJob } from './job-kind.js'
import type { QueuePlace } from './queue-place.js'

/** Precedes the worker's name in the name of its connection. */
const NAMED = ':w:'
const MOST_REASONS = 1000

/** How long a job's lock lasts, in milliseconds; a dead worker does not renew it, and another one takes the job. */
const LOCK_MS = 6000
/** Number of checks for expired locks within that time. */
const CHECKS_A_LOCK = 3
/** Number of workers that may vanish at the same job before it becomes a dead letter. */
const MOST_STALLED = 3
/**
 * How long a worker leaves the queue to others after refusing a job, in milliseconds: refusing is faster than working.
 */
const REST_MS = 2000

/**
 * The outcome of a job at a worker. `refused`: this worker may not run it, and another one may; its answer counts if no
 * other worker will.
 */
export type Done<Answer> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'given back' }
  | { kind: 'refused'; answer: Answer; why: string }

export interface WorkerOptions<TheJob extends QueueJob, Answer> {
  kind: JobKind<TheJob, Answer>
  concurrency: number
  /** Name of this worker, for `--queue-status`. */
  name: string
  /** @throws where the job should be tried again; HermesError `INVALID_JOB` where that would be of no use */
  run: (job: TheJob) => Promise<Done<Answer>>
  onNotice: OnNotice
  /** Called when connected to the queue, before the first job. */
  onConnected: () => void
  /** For how long it leaves the queue to others after it refused a job, in milliseconds. Default 2000. */
  restMs?: number
}

/** Takes jobs of one kind from their queue. */
export class QueueWorker<TheJob extends QueueJob, Answer> {
  /** Jobs without an answer yet. */
  readonly #active = new Set<Promise<unknown>>()
  #rest: NodeJS.Timeout | undefined
  #isClosing = false

  private constructor(
    private readonly connection: Connection, private readonly worker: Worker, private readonly refusals: Refusals,
  ) {}

  /** Opens the worker, which takes jobs from then on. @throws HermesError `UNREACHABLE` */
  static async open<TheJob extends QueueJob, Answer>(
    place: QueuePlace, options: WorkerOptions<TheJob, Answer>,
  ): Promise<QueueWorker<TheJob, Answer>> {
    const { kind: { queue, what }, concurrency, name, onNotice, onConnected } = options
    const connection = await connect(place, onNotice)
    try {
      for (const warning of await serverWarnings(connection.client, what)) onNotice(warning)
      onConnected()
      const take = (job: Job, token: string | undefined): Promise<Answer> =>
        tracked(taker.#active, taker.#process(job, token, options))
      const refusals = await Refusals.open(connection, { queue, name })
      // Take no job before all connections are open.
      const worker = await connection.begun(() => new connection.bullmq.Worker(queue, take, {
        prefix: PREFIX, connection: connection.client, concurrency, name, autorun: false,
        lockDuration: LOCK_MS, stalledInterval: LOCK_MS / CHECKS_A_LOCK, maxStalledCount: MOST_STALLED,
      }))
      const taker: QueueWorker<TheJob, Answer> = new QueueWorker(connection, worker, refusals)
      // A lost lock needs no report: another worker has the job then.
      worker.run().catch(() => undefined)
      return taker
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /**
   * Takes no more jobs, and waits briefly until those in progress are answered or given back.
   *
   * @returns how many jobs ended without either: they run again when their locks expire
   */
  async close(graceMs = LOCK_MS): Promise<number> {
    this.#isClosing = true
    clearTimeout(this.#rest)
    await within(graceMs, this.worker.pause(true).then(() => Promise.allSettled(this.#active)))
    const left = this.#active.size
    await within(graceMs, this.worker.close(left > 0))
    await within(graceMs, this.refusals.close())
    this.connection.close()
    return left
  }

  async #process(
    job: Job, token: string | undefined, { kind, run, restMs = REST_MS }: WorkerOptions<TheJob, Answer>,
  ): Promise<Answer> {
    const { UnrecoverableError, WaitingError } = this.connection.bullmq
    let done: Done<Answer>
    try {
      done = await run(kind.readJob(job.data))
    } catch (error) {
      if (error instanceof HermesError && error.code === 'INVALID_JOB') throw new UnrecoverableError(error.message)
      throw error
    }
    if (done.kind === 'answer') return done.answer
    if (done.kind === 'refused') {
      if (!await this.refusals.mayBeTaken(job, done.why)) return done.answer
      await this.#restAWhile(restMs)
    }
    // Not a failure: the next worker takes it at once.
    await job.moveToWait(token)
    throw new WaitingError()
  }

  async #restAWhile(restMs: number): Promise<void> {
    if (this.#isClosing) return
    clearTimeout(this.#rest)
    await this.worker.pause(true)
    this.#rest = setTimeout(() => {
      if (!this.#isClosing) this.worker.resume().catch(() => undefined)
    }, restMs)
  }
}

/** Tracks which workers on a queue have refused a job, so that it goes to the others before it returns. */
class Refusals {
  /** The workers present when all had refused for a reason: they will refuse it again. */
  readonly #byAll = new Map<string, ReadonlySet<string>>()

  private constructor(private readonly queue: Queue, private readonly name: string) {}

  /** @param name of this worker. @throws HermesError `UNREACHABLE` */
  static async open(connection: Connection, { queue, name }: { queue: string; name: string }): Promise<Refusals> {
    const { bullmq: { Queue }, client } = connection
    return new Refusals(
      await connection.begun(() => new Queue(queue, { prefix: PREFIX, connection: client, skipMetasUpdate: true })),
      name,
    )
  }

  /** Records that this worker refuses a job. @returns whether there is a worker that has not refused it */
  async mayBeTaken(job: Job, why: string): Promise<boolean> {
    const workers = await this.#workers()
    if ([...workers].every((name) => this.#byAll.get(why)?.has(name))) return false
    const refused = new Set([...refusedBy(job.progress), this.name])
    if (![...workers].every((name) => refused.has(name))) {
      await job.updateProgress({ refusedBy: [...refused] })
      return true
    }
    // Anyone who can write to the queue may invent any number of reasons.
    if (this.#byAll.size >= MOST_REASONS) this.#byAll.clear()
    this.#byAll.set(why, workers)
    return false
  }

  close(): Promise<void> {
    return this.queue.close()
  }

  /** Names of the workers present now; only this one's where the server does not report them. */
  async #workers(): Promise<ReadonlySet<string>> {
    const workers = await this.queue.getWorkers()
    const names = workers.map(({ rawname = '' }) => rawname.slice(rawname.indexOf(NAMED) + NAMED.length))
    return new Set([...names.filter((name) => name !== ''), this.name])
  }
}

/** Reads the names, in data that anybody may have written. */
function refusedBy(progress: unknown): string[] {
  const names = isRecord(progress) ? progress['refusedBy'] : undefined
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
