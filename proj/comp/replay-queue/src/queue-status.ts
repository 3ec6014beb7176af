import { connect, PREFIX, QUEUE } from './connection.js'
import { queuePlace } from './queue-place.js'

export interface DeadLetter {
  /** Of the job. */
  id: string
  /** Of the transcript. */
  name: string
  attempts: number
  reason: string
  /** Name of the last worker. */
  worker?: string
  /** ISO 8601. */
  failedAt?: string
}

export interface QueueStatus {
  queue: string
  workers: number
  waiting: number
  active: number
  /** Failed, and waiting to be tried again. */
  retrying: number
  /** Whose result has not been fetched. */
  done: number
  failed: number
  /** The latest of those that failed for good, at most 100. */
  deadLetters: DeadLetter[]
}

const MOST_SHOWN = 100

/** How it stands with a queue. @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE` */
export async function queueStatus(written: string): Promise<QueueStatus> {
  const place = queuePlace(written)
  const connection = await connect(place, () => undefined)
  const queue = new connection.bullmq.Queue(QUEUE, { prefix: PREFIX, connection: connection.client, skipMetasUpdate: true })
  queue.on('error', () => undefined)
  try {
    const [counts, failed, workers] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'completed', 'failed'),
      queue.getFailed(0, MOST_SHOWN - 1), queue.getWorkersCount(),
    ])
    const of = (...states: string[]): number => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
    return {
      queue: place.name, workers, waiting: of('waiting', 'prioritized'), active: of('active'), retrying: of('delayed'),
      done: of('completed'), failed: of('failed'),
      deadLetters: failed.map(({ id = '', data, attemptsMade, failedReason, processedBy, finishedOn }) => ({
        id, name: nameOf(data), attempts: Math.max(1, attemptsMade), reason: failedReason ?? 'no reason given',
        ...(processedBy !== undefined && { worker: processedBy }),
        ...(finishedOn !== undefined && { failedAt: new Date(finishedOn).toISOString() }),
      })),
    }
  } finally {
    await queue.close()
    connection.close()
  }
}

/** Anybody may have put it there. */
function nameOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string' ? data.name.slice(0, 256) : '?'
}
