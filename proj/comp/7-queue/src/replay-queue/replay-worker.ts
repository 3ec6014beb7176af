import { plural } from '../../../1-reports/src/index.js'
import { WorkerPool } from '../../../6-replay/src/index.js'
import { requireDone, type Work } from '../jobs/index.js'
import { JobRunner, type LocalPlan } from './job-runner.js'
import { REPLAY_JOBS, type ReplayAnswer, type ReplayJob } from './job-schema.js'

/**
 * Work of a replay worker: each transcript is replayed in a process that knows neither queue nor store.
 *
 * @param childFlags arguments that start such a process of hermes
 */
export function replayWork(childFlags: readonly string[]): Work<ReplayJob, ReplayAnswer> {
  return {
    kind: REPLAY_JOBS,
    counted: (count) => plural(count, 'transcript'),
    childFlags,
    open(place) {
      const { concurrency, spawn } = place
      let pool: WorkerPool<LocalPlan> | undefined
      const runner = new JobRunner({
        ...place,
        async replay(plan, transcript) {
          if (!pool) throw new Error('no processes')
          const { replayed, lost } = await pool.run(plan, transcript)
          requireDone(lost, replayed.report.error?.message, place)
          return replayed
        },
      })
      let isStopped = false
      return {
        start: () => {
          pool = new WorkerPool<LocalPlan>(concurrency, 1, spawn, 1)
        },
        async run(job) {
          const { replayed, answer } = await runner.run(job)
          return isStopped && replayed.report.error?.code === 'CANCELLED' ? undefined : { kind: 'answer', answer }
        },
        stop: () => {
          isStopped = true
          pool?.stop()
        },
        close: async () => pool?.close(),
      }
    },
  }
}
