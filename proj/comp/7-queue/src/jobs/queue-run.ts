import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openContentStore, writeOutput, type ContentStore } from '../../../2-files/src/index.js'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { usageError, valueAt } from '../../../0-text/src/index.js'
import type { JobKind, QueueJob } from './job-kind.js'
import { QueueProducer, type JobEnd, type Kept } from './producer.js'
import { queuePlace } from './queue-place.js'

const RUN_FILE = 'queue.json'
/** Codes of answers that would be no better when fetched again. */
const LOST: ReadonlySet<string> = new Set(['INVALID_JOB', 'CORRUPT_CONTENT'])

/** The queue for distributing work. */
export interface QueueSettings {
  /** Address of its server. */
  queue: string
  /** The store for content too large for the queue. */
  store: string | undefined
  /** Whether dangerous commands are approved in advance, if the worker approves them too. */
  yes: boolean
  /** Most jobs on the queue at a time. */
  concurrency: number
  /** Called with notices for the user. */
  onNotice: (notice: string) => void
}

export interface QueueRunOptions<Job extends QueueJob, Answer extends { worker: string }> {
  kind: JobKind<Job, Answer>
  signal: AbortSignal
  /** Directory of a run that can be resumed. */
  directory: string | undefined
  /** Which jobs an interrupt leaves on the queue. */
  kept: Kept
}

/** Gives work to others by a queue, until interrupted. */
export class QueueRun<Job extends QueueJob, Answer extends { worker: string }> {
  readonly #workers = new Map<string, number>()
  #left = Promise.resolve(0)

  private constructor(
    readonly store: ContentStore | undefined,
    /** Most jobs on the queue at a time. */
    readonly concurrency: number,
    private readonly onNotice: (notice: string) => void,
    private readonly producer: QueueProducer<Job, Answer>, private readonly options: QueueRunOptions<Job, Answer>,
  ) {
    const { signal } = options
    if (signal.aborted) this.#abandon()
    signal.addEventListener('abort', this.#abandon, { once: true })
  }

  /** @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE` */
  static async open<Job extends QueueJob, Answer extends { worker: string }>(
    { queue, store: written, concurrency, onNotice }: QueueSettings, options: QueueRunOptions<Job, Answer>,
  ): Promise<QueueRun<Job, Answer>> {
    const { kind, directory } = options
    const place = queuePlace(queue)
    const store = written === undefined ? undefined : await openContentStore(written)
    const producer = await QueueProducer.open(place, { kind, ...runOf(directory), onNotice })
    return new QueueRun(store, concurrency, onNotice, producer, options)
  }

  /** Waits for the end of a job; `undefined` if an interrupt came first. */
  async ask(job: Job, content: string): Promise<JobEnd<Answer> | undefined> {
    return this.options.signal.aborted ? undefined : this.producer.run(job, content)
  }

  /**
   * Reads an answer. An unusable one is removed from the queue, so that the next start runs the job again; one that
   * cannot be fetched at present stays.
   */
  async read<T>(end: JobEnd<Answer> & { answer: Answer }, read: (answer: Answer) => Promise<T>): Promise<T> {
    try {
      return await read(end.answer)
    } catch (error) {
      if (error instanceof HermesError && LOST.has(error.code)) await this.producer.settled(end)
      throw error
    }
  }

  /** Number of a worker, from 1. */
  numberOf({ worker }: Answer): number {
    return valueAt(this.#workers, worker, () => this.#workers.size + 1)
  }

  settled(end: JobEnd<Answer>): Promise<void> {
    return this.producer.settled(end)
  }

  async close(): Promise<void> {
    const { signal, directory, kind } = this.options
    signal.removeEventListener('abort', this.#abandon)
    const count = await this.#left
    await this.producer.close()
    if (count === 0 || directory === undefined) return
    const [stay, whose] = count === 1 ? ['stays', 'its result'] : ['stay', 'their results']
    this.onNotice(`${plural(count, kind.what.replace(/s$/, ''))} ${stay} on the queue; --resume takes ${whose}.`)
  }

  readonly #abandon = (): void => {
    this.#left = this.producer.abandon(this.options.kept)
  }
}

/** The error for a job that failed for good. @param command that lists dead letters */
export function deadLetter(reason: string, command: string): HermesError {
  return new HermesError('INTERNAL', `It failed on the queue for good: ${reason}`, {
    hint: `hermes ${command} --queue URL --queue-status lists such dead letters; run it alone to see why.`,
  })
}

/** @param what is too large for the queue, if anything. @throws HermesError `INVALID_OPTION` */
export function refuseWithoutStore({ store }: QueueSettings, what: string | undefined): void {
  if (what === undefined || store !== undefined) return
  throw usageError(`${what} goes by a store, and none is given`, 'Give the same --store to this and to the workers: '
    + 'a directory that they share, or s3://bucket/prefix.')
}

/** The error for a workspace that is a commit. */
export function noGit(): HermesError {
  return usageError(
    '--git does not go by a queue: its repository is on this machine',
    'Check the commit out (git worktree add DIR REF), and give it as --fixture DIR.',
  )
}

/** The id that separates the jobs of a run from others; a named run stores it beside its parts. */
function runOf(directory: string | undefined): { run: string; isResumed: boolean } {
  const run = randomUUID()
  if (directory === undefined) return { run, isResumed: false }
  const file = join(directory, RUN_FILE)
  const kept = orNothing(() => /^\{"run":"([0-9a-f-]{36})"\}\s*$/.exec(readFileSync(file, 'utf8'))?.[1], undefined)
  if (kept !== undefined) return { run: kept, isResumed: true }
  writeOutput(file, `{"run":"${run}"}\n`)
  return { run, isResumed: false }
}
