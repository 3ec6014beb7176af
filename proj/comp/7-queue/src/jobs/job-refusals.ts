import type { Job, Queue } from 'bullmq'
import { isRecord } from '../../../0-contracts/src/index.js'
import { PREFIX, type Connection } from './redis-connection.js'

/** How the name of a worker follows in that of its connection. */
const NAMED = ':w:'
const MOST_REASONS = 1000

/** Who of the workers on a queue has refused a job, so that it goes to the others before it comes back. */
export class Refusals {
  readonly #queue: Queue
  readonly #name: string
  /** Who was there when the last of them refused, by the reason: they will again. */
  readonly #byAll = new Map<string, ReadonlySet<string>>()

  private constructor(queue: Queue, name: string) {
    this.#queue = queue
    this.#name = name
  }

  /** @param name of this worker. @throws HermesError `UNREACHABLE` */
  static async open(connection: Connection, { queue, name }: { queue: string; name: string }): Promise<Refusals> {
    const { bullmq: { Queue }, client } = connection
    return new Refusals(
      await connection.begun(() => new Queue(queue, { prefix: PREFIX, connection: client, skipMetasUpdate: true })),
      name,
    )
  }

  /** Notes that this worker refuses a job. @returns whether one is there that has not */
  async mayBeTaken(job: Job, why: string): Promise<boolean> {
    const workers = await this.#workers()
    if ([...workers].every((name) => this.#byAll.get(why)?.has(name))) return false
    const refused = new Set([...refusedBy(job.progress), this.#name])
    if (![...workers].every((name) => refused.has(name))) {
      await job.updateProgress({ refusedBy: [...refused] })
      return true
    }
    // Whoever may write to the queue may invent any number of reasons.
    if (this.#byAll.size >= MOST_REASONS) this.#byAll.clear()
    this.#byAll.set(why, workers)
    return false
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  /** Names of those that are there now; a server that does not tell them has this one alone. */
  async #workers(): Promise<ReadonlySet<string>> {
    const found = await this.#queue.getWorkers()
    const names = found.map(({ rawname = '' }) => rawname.slice(rawname.indexOf(NAMED) + NAMED.length))
    return new Set([...names.filter((name) => name !== ''), this.#name])
  }
}

/** Anybody may have put it there, in any form. */
function refusedBy(progress: unknown): string[] {
  const names = isRecord(progress) ? progress['refusedBy'] : undefined
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
