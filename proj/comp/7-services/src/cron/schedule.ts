import { HermesError } from '../../../0-contracts/src/index.js'

/** Must reach far enough for `0 0 29 2 *`. */
const FIELDS = 'minute hour day month weekday, e.g. "30 7 * * 1-5"; with seconds before them, or @hourly, @daily, '
  + '@weekly, @monthly'

/** Times of a job. */
export interface Schedule {
  /** The next time after `afterMs`; `undefined` where there is none. */
  next(afterMs: number): number | undefined
  /** The last time at or before `untilMs`. */
  last(untilMs: number): number | undefined
}

/**
 * Reads a cron expression. At the change to summer time, times in the skipped hour move to its end; times in the
 * repeated hour run once, unless the expression runs every hour or more often.
 *
 * @param timeZone IANA name; default: the system's
 * @throws HermesError `INVALID_OPTION`
 */
export async function readSchedule(expression: string, timeZone: string | undefined): Promise<Schedule> {
  const { Cron } = await import('croner')
  try {
    const cron = new Cron(expression, {
      paused: true, mode: 'auto', ...(timeZone !== undefined && { timezone: timeZone }),
    })
    if (!/^@|\s/.test(expression.trim())) throw new RangeError('it has one field')
    const times: Schedule = {
      next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime(),
      last: (untilMs) =>
        cron.previousRuns(2, new Date(untilMs + 1000)).map((date) => date.getTime()).find((time) => time <= untilMs),
    }
    if (times.next(Date.now()) === undefined) throw new RangeError('there is no such time')
    return times
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = error.message.replace(/^CronPattern: |^CronDate: /, '')
    throw new HermesError(
      'INVALID_OPTION', `Not a schedule: ${expression}${timeZone === undefined ? '' : ` (${timeZone})`}: ${why}`,
      {
        hint: `Write ${FIELDS}. For one run: "in 30m", "tomorrow 9:00". Time zones are called as Europe/Berlin or UTC.`,
        cause: error,
      },
    )
  }
}

/** The fields of a job that determine its times. */
interface Times {
  schedule: string
  atMs?: number | undefined
  timeZone?: string | undefined
}

/** The times of a job; for one that runs once, that time. @param zone for jobs that name none */
export async function jobSchedule({ schedule, atMs, timeZone }: Times, zone: string | undefined): Promise<Schedule> {
  if (atMs === undefined) return readSchedule(schedule, timeZone ?? zone)
  return {
    next: (afterMs) => (atMs > afterMs ? atMs : undefined), last: (untilMs) => (atMs <= untilMs ? atMs : undefined),
  }
}
