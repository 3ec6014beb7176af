import { join } from 'node:path'
import type { ScheduledJob, Scheduler } from '../../../0-contracts/src/index.js'
import { lockHolder } from '../../../2-files/src/index.js'
import { jobStates } from './job-states.js'
import { addJob, noJob, readJobs, removeJob, type Job, type JobLimits } from './jobs.js'
import { shownTime, usageError } from '../../../0-text/src/index.js'

/** Most jobs of one conversation. */
const MOST = 20

export interface ConversationJobsOptions {
  /** `~/.hermes/cron`. */
  directory: string
  /** Root of its jobs: that of the conversation. */
  root: string
  /** The conversation, e.g. `webhook:c1`; `chat` at a terminal, which sees all jobs of its root. */
  from: string
  /** Target for answers. Default: they are only stored. */
  deliver?: string | undefined
  limits: JobLimits
  timeZone?: string | undefined
  consent: Scheduler['consent']
}

/** The jobs of a conversation, as its model can access them. */
export function conversationJobs(options: ConversationJobsOptions): Scheduler {
  const { directory, root, from, deliver, limits, timeZone, consent } = options
  const isOwn = (job: Job): boolean => (from === 'chat' ? job.root === root : job.from === from)
  const listed = async (): Promise<ScheduledJob[]> => (await jobStates(directory, timeZone)).filter(isOwn)
    .map(({ id, schedule, prompt, answer, nextMs, deliver: to }) => ({
      id, schedule, prompt: prompt ?? `runs ${answer ?? ''}`, next: shownTime(nextMs ?? undefined, timeZone),
      ...(to !== undefined && { deliversTo: to }),
    }))
  return {
    consent,
    isRunning: () => lockHolder(join(directory, 'lock')) !== undefined,
    list: listed,
    async add({ schedule, prompt, name, timeZone: zone }) {
      if (readJobs(directory).filter((job) => job.from === from && isOwn(job)).length >= MOST) {
        throw usageError(`This conversation has ${MOST} jobs already`, 'Remove one: cron_list, cron_remove.')
      }
      const { id } = await addJob(directory, {
        id: name, schedule, prompt, root, from, limits, createdMs: Date.now(), deliver, timeZone: zone,
      }, timeZone)
      const added = (await listed()).find((job) => job.id === id)
      // It was due at once, and a runner has already run it.
      return added ?? { id, schedule, prompt, next: 'now' }
    },
    async remove(id) {
      const jobs = readJobs(directory).filter(isOwn)
      if (!jobs.some((job) => job.id === id)) throw noJob(id, jobs)
      await removeJob(directory, id)
    },
  }
}
