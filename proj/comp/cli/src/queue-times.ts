import type { ProducerOptions, QueueJob, WorkerOptions } from '../../job-queue/src/index.js'

type Times = Pick<WorkerOptions<QueueJob, unknown>, 'lockMs' | 'restMs'> & Pick<ProducerOptions<QueueJob, unknown>, 'retryMs'>

/** Set by tests alone, which do not wait as long: milliseconds of a lock, of a rest and until the first retry. */
const SHORTENED = /^([1-9]\d{0,4}),([1-9]\d{0,4}),([1-9]\d{0,4})$/

/** How long a queue waits where that is not as usual. */
export function queueTimes(): Times {
  const [, lock, rest, retry] = SHORTENED.exec(process.env['HERMES_TEST_QUEUE_TIMES'] ?? '') ?? []
  return lock === undefined ? {} : { lockMs: Number(lock), restMs: Number(rest), retryMs: Number(retry) }
}
