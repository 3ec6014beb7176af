import { plural } from '../../../1-reports/src/index.js'
import { unreplayed, type Replayed } from '../../../6-replay/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import { WorkProcesses, type Work } from '../jobs/index.js'
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
      const processes = new WorkProcesses<LocalPlan, Transcript, Replayed>(place, unreplayed)
      const runner = new JobRunner({ ...place, replay: (plan, transcript) => processes.run(plan, transcript) })
      return {
        start: () => processes.start(),
        async run(job) {
          const { replayed: { report: { error } }, answer } = await runner.run(job)
          return processes.isStopped && error?.code === 'CANCELLED' ? undefined : { kind: 'answer', answer }
        },
        stop: () => processes.stop(),
        close: () => processes.close(),
      }
    },
  }
}
