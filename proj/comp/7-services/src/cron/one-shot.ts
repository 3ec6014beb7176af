import { HermesError } from '../../../0-contracts/src/index.js'

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const UNITS = 's(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?'
const SPAN = new RegExp(String.raw`(\d{1,6}(?:\.\d{1,3})?)\s*(${UNITS})(?![a-z])(?:\s*(?:,|and)?\s*)`, 'iy')
const DAY = String.raw`(?<day>\d{4}-\d{2}-\d{2}|today|tomorrow)`
const HOUR = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?`
const MOMENT = new RegExp(
  String.raw`^(?:at\s+)?(?:${DAY}(?:\s+at\s+|\s+|t))?${HOUR}\s*(?<offset>z|[+-]\d{2}:?\d{2})?$`, 'i',
)
/** Most distant date accepted, from now: a later one is a mistake, or a cron expression. */
const FURTHEST_MS = 5 * 366 * 86_400_000
const FORMS = '"in 30m", "in 1h30m", "at 18:00", "tomorrow 9:00" or "at 2026-12-01 09:00"'

/** Whether a schedule names a single time rather than recurring ones. */
export function isOneShot(schedule: string): boolean {
  return /^\s*(?:in\b|at\b|today\b|tomorrow\b|\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2})/i.test(schedule)
}

/**
 * The time of a job that runs once. Without a day it is the next such time; one skipped by the change to summer time is
 * as much later.
 *
 * @param timeZone IANA name; default: the system's
 * @throws HermesError `INVALID_OPTION` for an invalid time, or one that has passed
 */
export async function readOneShot(schedule: string, timeZone: string | undefined, nowMs: number): Promise<number> {
  const text = schedule.trim()
  const at = /^in\b/i.test(text) ? nowMs + spanOf(text.slice(2).trim(), schedule)
    : await momentOf(text, schedule, timeZone, nowMs)
  if (at <= nowMs) throw invalid(schedule, 'that has passed')
  if (at > nowMs + FURTHEST_MS) throw invalid(schedule, 'that is more than five years ahead')
  return at
}

function spanOf(text: string, schedule: string): number {
  let total = 0
  SPAN.lastIndex = 0
  while (SPAN.lastIndex < text.length) {
    const part = SPAN.exec(text)
    if (part === null) throw invalid(schedule, 'no length of time')
    total += Number(part[1]) * (UNIT_MS[part[2]?.[0]?.toLowerCase() ?? ''] ?? NaN)
  }
  return Math.round(total)
}

async function momentOf(
  text: string, schedule: string, timeZone: string | undefined, nowMs: number,
): Promise<number> {
  const groups = MOMENT.exec(text)?.groups
  if (groups === undefined) throw invalid(schedule, 'no moment')
  const { day: written = '', hour = '', minute = '', second = '00', offset } = groups
  const time = `${hour.padStart(2, '0')}:${minute}:${second}`
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw invalid(schedule, 'there is no such time')
  const word = written.toLowerCase()
  const today = dayIn(timeZone, nowMs)
  const day = word === '' || word === 'today' ? today : word === 'tomorrow' ? dayAfter(today) : word
  if (!isDay(day)) throw invalid(schedule, 'there is no such day')
  const find = async (date: string): Promise<number> => (
    offset === undefined ? zoned(date, time, timeZone) : Date.parse(`${date}T${time}${offsetOf(offset)}`)
  )
  const at = await find(day)
  if (Number.isNaN(at)) throw invalid(schedule, 'there is no such time')
  return at <= nowMs && word === '' ? find(dayAfter(day)) : at
}

async function zoned(day: string, time: string, timeZone: string | undefined): Promise<number> {
  const { Cron } = await import('croner')
  const cron = new Cron(`${day}T${time}`, { paused: true, ...(timeZone !== undefined && { timezone: timeZone }) })
  return cron.nextRun(new Date(0))?.getTime() ?? NaN
}

/** The calendar day in that zone, as `2026-12-01`. */
function dayIn(timeZone: string | undefined, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', { ...(timeZone !== undefined && { timeZone }), dateStyle: 'short' })
  return parts.format(new Date(ms))
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** Whether a day exists: `2026-02-30` would be read as a day in March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function offsetOf(written: string): string {
  return /^z$/i.test(written) ? 'Z' : `${written.slice(0, 3)}:${written.slice(-2)}`
}

function invalid(schedule: string, why: string): HermesError {
  return new HermesError('INVALID_OPTION', `Not a time: ${schedule}: ${why}`, {
    hint: `Write ${FORMS}; for what comes again a cron expression: minute hour day month weekday.`,
  })
}
