import type { Queue } from 'bullmq'
import { connect, PREFIX, type Connection } from './redis-connection.js'
import { queuePlace } from './queue-place.js'
import { plural } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'

export interface DeadLetter {
  /** Id of the job. */
  id: string
  /** Name of the work. */
  name: string
  attempts: number
  reason: string
  /** Name of the last worker. */
  worker?: string
  /** As ISO 8601. */
  failedAt?: string
}

/** State of one kind of jobs. */
export interface QueueStatus {
  workers: number
  waiting: number
  active: number
  /** Failed, and waiting for another attempt. */
  retrying: number
  /** Done, with results not fetched yet. */
  done: number
  failed: number
  /** The latest jobs that failed for good, at most 100. */
  deadLetters: DeadLetter[]
}

const MOST_SHOWN = 100
const MOST_TEXT = 4096
/** Largest time of a date, in milliseconds. */
const MOST_TIME = 8.64e15

/**
 * The state of queues on one server, in order.
 *
 * @param written the address of the server
 * @param names of the queues
 * @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE`
 */
export async function queueStatus(
  written: string, names: readonly string[],
): Promise<{ queue: string; statuses: QueueStatus[] }> {
  const place = queuePlace(written)
  const connection = await connect(place, () => undefined)
  try {
    const statuses: QueueStatus[] = []
    for (const name of names) statuses.push(await statusOf(name, connection))
    return { queue: place.name, statuses }
  } finally {
    connection.close()
  }
}

async function statusOf(name: string, connection: Connection): Promise<QueueStatus> {
  const queue = new connection.bullmq.Queue(name, {
    prefix: PREFIX, connection: connection.client, skipMetasUpdate: true,
  })
  queue.on('error', () => undefined)
  try {
    const [counts, failed, workers] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'completed', 'failed'),
      queue.getRanges(['failed'], 0, MOST_SHOWN - 1), queue.getWorkersCount(),
    ])
    const deadLetters = await Promise.all(failed.map((id) => deadLetter(queue, id)))
    const of = (...states: string[]): number => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
    return {
      workers, waiting: of('waiting', 'prioritized'), active: of('active'), retrying: of('delayed'),
      done: of('completed'), failed: of('failed'),
      deadLetters: deadLetters.filter((candidate) => candidate !== undefined),
    }
  } finally {
    await queue.close()
  }
}

/** Reads a dead letter, which anybody may have written in any form. `undefined` if it is gone. */
async function deadLetter(queue: Queue, id: string): Promise<DeadLetter | undefined> {
  try {
    const job = await queue.getJob(id)
    if (!job) return undefined
    const { data, attemptsMade, failedReason, processedBy, finishedOn } = job
    return {
      id, name: nameOf(data), attempts: Math.max(1, attemptsMade || 0),
      reason: failedReason?.slice(0, MOST_TEXT) ?? 'no reason given',
      ...(processedBy !== undefined && { worker: processedBy.slice(0, 256) }),
      ...(finishedOn !== undefined && Math.abs(finishedOn) <= MOST_TIME
        && { failedAt: new Date(finishedOn).toISOString() }),
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)) throw error
    return { id, name: '?', attempts: 1, reason: 'it is no job' }
  }
}

function nameOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string'
    ? data.name.slice(0, 256) : '?'
}

/** How it stands with the queues of a server, for people; by what is on them. */
export function queueStatusText(queue: string, kinds: Readonly<Record<string, QueueStatus>>): string {
  const width = Math.max(...Object.keys(kinds).map((kind) => kind.length))
  const letters = Object.values(kinds).flatMap(({ deadLetters }) => deadLetters)
  const failed = Object.values(kinds).reduce((sum, candidate) => sum + candidate.failed, 0)
  return [
    queue,
    ...Object.entries(kinds).map(([kind, { workers, waiting, active, retrying, done, failed: dead }]) => (
      `${kind.padEnd(width)}  ${plural(workers, 'worker')} · ${waiting} waiting · ${active} active · ${retrying} to be `
        + `tried again · ${done} done · ${dead} failed`
    )),
    ...(letters.length > 0 ? ['', 'Dead letters:', ...letters.flatMap(letterLines)] : []),
    ...(failed > letters.length ? [`and ${failed - letters.length} more`] : []),
    '',
  ].join('\n')
}

function letterLines({ id, name, attempts, reason, worker, failedAt }: DeadLetter): string[] {
  return [
    `✗  ${escapeControls(name)}  ${escapeControls(reason)}`,
    `    ${plural(attempts, 'attempt')}${worker === undefined ? '' : `, last at ${escapeControls(worker)}`}`
    + `${failedAt === undefined ? '' : `, ${failedAt}`}  ${id.slice(0, 12)}`,
  ]
}
