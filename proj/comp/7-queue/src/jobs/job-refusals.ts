import type { Job, Queue } from 'bullmq'
import { isRecord } from '../../../0-contracts/src/index.js'
import { PREFIX, type Connection } from './redis-connection.js'

/** Precedes the worker's name in the name of its connection. */
const NAMED = ':w:'
const MOST_REASONS = 1000

/** Tracks which workers on a queue have refused a job, so that it goes to the others before it returns. */
export class Refusals {
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
