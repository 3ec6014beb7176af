/** What every job has, whatever is to be done. */
export interface QueueJob {
  /** Of what is to be done, for people. */
  name: string
  /** All that decides what comes of it, besides its content. */
  settings: object
}

/** One kind of work, on a queue of its own: what is put there, and what comes back. */
export interface JobKind<Job extends QueueJob, Answer> {
  /** Name of the queue in the database. */
  queue: string
  /** Name of its jobs. */
  job: string
  /** What messages call them. */
  what: string
  /** Starts what takes them, for people. */
  workerCommand: string
  /** @throws HermesError `INVALID_JOB` for what is none */
  readJob(data: unknown): Job
  /** @throws HermesError `INVALID_JOB` for what is none */
  readAnswer(data: unknown): Answer
}
