/** Something that is to be asked of an agent later, unattended. */
export interface NewScheduledJob {
  /** A cron expression, or for one run `in 30m`, `tomorrow 9:00`, `at 2026-12-01 09:00`. */
  schedule: string
  prompt: string
  name?: string
  /** IANA name. */
  timeZone?: string
}

/** A job of the scheduler, as `cron_list` gives it. */
export interface ScheduledJob {
  id: string
  schedule: string
  prompt: string
  /** When it runs next, with the zone; `never`. */
  next: string
  /** The conversation that gets the answer. */
  deliversTo?: string
}

/**
 * The port through which verbs reach scheduled jobs, of one conversation: it sees no others', and what it adds has no
 * more rights than that conversation.
 */
export interface Scheduler {
  /** `given`: the owner of the machine agreed beforehand. */
  readonly consent: 'ask' | 'given'
  /** Whether something runs jobs now. */
  isRunning(): boolean
  /** @throws HermesError `INVALID_OPTION`, `EEXIST` */
  add(job: NewScheduledJob): Promise<ScheduledJob>
  list(): Promise<ScheduledJob[]>
  /** @throws HermesError `ENOENT` */
  remove(id: string): Promise<void>
}
