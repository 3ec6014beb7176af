import { readJobs, type Job } from './jobs.js'
import { RunLog, type CronRun } from './runs.js'
import { jobSchedule } from './schedule.js'

/** A job, and how it stands with it. */
export interface JobState extends Job {
  /** `null`: never. */
  nextMs: number | null
  last: CronRun | null
}

/** All jobs, with when they run next and how they ended last. @param zone of those that name none */
export async function jobStates(directory: string, zone: string | undefined): Promise<JobState[]> {
  const runs = new RunLog(directory)
  return Promise.all(readJobs(directory).map(async (job) => ({
    ...job, nextMs: (await jobSchedule(job, zone)).next(Date.now()) ?? null,
    last: runs.list(job.id).at(-1) ?? null,
  })))
}
