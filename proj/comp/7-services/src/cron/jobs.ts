import { join } from 'node:path'
import * as v from 'valibot'
import { readPolicyFile, replacePolicyFile, shownHome, whileLocked } from '../../../2-config/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { isOneShot, readOneShot } from './one-shot.js'
import { RunLog } from './runs.js'
import { readSchedule } from './schedule.js'

const ID = /^[a-z0-9][a-z0-9-]{0,47}$/
const MOST_JOBS = 200

const LIMITS = v.strictObject({
  allow: v.array(v.string()),
  sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
  network: v.optional(v.union([v.boolean(), v.array(v.string())])),
  toolsets: v.optional(v.array(v.string())),
  disabledToolsets: v.array(v.string()),
})
/** Rights of a conversation that limit its jobs. */
export type JobLimits = v.InferOutput<typeof LIMITS>

const JOB = v.strictObject({
  id: v.pipe(v.string(), v.regex(ID)),
  /** Cron expression; for a job that runs once, its time as written. */
  schedule: v.string(),
  /** When a job that runs once is due; milliseconds since the epoch. */
  atMs: v.optional(v.number()),
  timeZone: v.optional(v.string()),
  /** The prompt for the agent, or the file of an answer to run: exactly one. */
  prompt: v.optional(v.string()),
  answer: v.optional(v.string()),
  /** Absolute. */
  root: v.string(),
  model: v.optional(v.string()),
  /** Target for its answer, e.g. `webhook:c1`; without it the answer is only stored. */
  deliver: v.optional(v.string()),
  /** For a job that a model added: its conversation, e.g. `chat` or `webhook:c1`. */
  from: v.optional(v.string()),
  /** Rights of that conversation: the job has no more. */
  limits: v.optional(LIMITS),
  /** Milliseconds since the epoch: times before it are not made up for. */
  createdMs: v.number(),
})
const JOBS = v.strictObject({ version: v.literal(1), jobs: v.array(JOB) })

/** A scheduled job. */
export type Job = v.InferOutput<typeof JOB>

/** The file in which jobs are stored. */
export function jobsFile(directory: string): string {
  return join(directory, 'jobs.json')
}

/** @throws HermesError `INVALID_POLICY` for an invalid file, or one that other users can change */
export function readJobs(directory: string): Job[] {
  const file = jobsFile(directory)
  return parse(readPolicyFile(file, shownHome(file), true), file)
}

function parse(text: string | undefined, name: string): Job[] {
  if (text === undefined) return []
  try {
    return v.parse(JOBS, JSON.parse(text)).jobs
  } catch (error) {
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    throw new HermesError('INVALID_POLICY', `${name} is no list of jobs: ${error.message}`, {
      hint: 'Nothing is run by it. Mend it, or remove it and add the jobs again.', cause: error,
    })
  }
}

/** A job to be added. */
export type NewJob = Omit<Job, 'id' | 'atMs'> & { id?: string | undefined }

/**
 * Adds a job.
 *
 * @param zone for jobs that name none
 * @throws HermesError `INVALID_OPTION` for an invalid schedule or name, `EEXIST` for a name in use
 */
export async function addJob(directory: string, job: NewJob, zone?: string): Promise<Job> {
  const timeZone = job.timeZone ?? zone
  const atMs = isOneShot(job.schedule) ? await readOneShot(job.schedule, timeZone, job.createdMs) : undefined
  if (atMs === undefined) await readSchedule(job.schedule, timeZone)
  if (job.id !== undefined && !ID.test(job.id)) {
    throw usageError(`Not a name of a job: ${job.id}`, 'Small letters, digits and -, at most 48, e.g. morning-report.')
  }
  let added: Job | undefined
  await change(directory, (jobs) => {
    if (jobs.some(({ id }) => id === job.id)) {
      throw new HermesError('EEXIST', `There is a job ${job.id} already`, {
        hint: `Choose another --name, or remove it: hermes cron remove ${job.id}`,
      })
    }
    if (jobs.length >= MOST_JOBS) {
      throw usageError(`There are ${MOST_JOBS} jobs already`, 'Remove one: hermes cron list')
    }
    added = { ...job, atMs, id: job.id ?? freeId(directory, jobs) }
    return [...jobs, added]
  })
  if (added === undefined) throw new Error('no job was added')
  return added
}

/** @param createdMs remove only a job created then. @throws HermesError `ENOENT` */
export async function removeJob(directory: string, id: string, createdMs?: number): Promise<void> {
  await change(directory, (jobs) => {
    const job = jobs.find((each) => each.id === id && (createdMs === undefined || each.createdMs === createdMs))
    if (job !== undefined) return jobs.filter((other) => other !== job)
    throw noJob(id, jobs)
  })
}

export function noJob(id: string, jobs: readonly Job[]): HermesError {
  return new HermesError('ENOENT', `There is no job ${id}`, {
    hint: jobs.length === 0 ? 'There are none: hermes cron add' : `There are ${jobs.map((job) => job.id).join(', ')}.`,
  })
}

async function change(directory: string, make: (jobs: Job[]) => Job[]): Promise<void> {
  const file = jobsFile(directory)
  await whileLocked(file, () => {
    replacePolicyFile(file, `${JSON.stringify({ version: 1, jobs: make(readJobs(directory)) }, undefined, 2)}\n`)
  })
}

/** An unused id, also without a history: runs of a removed job belong to no other. */
function freeId(directory: string, jobs: readonly Job[]): string {
  const taken = new Set([...jobs.map(({ id }) => id), ...new RunLog(directory).jobs()])
  for (let number = 1; ; number++) if (!taken.has(`job-${number}`)) return `job-${number}`
}
