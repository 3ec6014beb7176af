import { createPalette } from '../../../1-reports/src/index.js'
import { escapeControls, shownTime } from '../../../0-text/src/index.js'
import type { JobState } from './job-states.js'
import { MOST_TRIES } from './deliveries.js'
import type { CronRun } from './runs.js'

/** How to show times. */
export interface CronView {
  /** Default: the system's. */
  zone?: string | undefined
}

/** Jobs, with their next run and last outcome. @param zone for showing times */
export function renderJobs(jobs: readonly JobState[], { colour, zone }: CronView & { colour: boolean }): string {
  const { faint } = createPalette(colour)
  return jobs.map(({ id, schedule, atMs, timeZone, prompt, answer, root, deliver, nextMs, last }) => [
    `${id}  ${escapeControls(schedule)}${timeZone === undefined ? '' : ` ${timeZone}`}  `
      + `${escapeControls(prompt === undefined ? `runs ${answer ?? ''}` : JSON.stringify(prompt))}`,
    faint(`    in ${escapeControls(root)}; ${atMs === undefined ? 'next' : 'once'} ${shownTime(nextMs ?? atMs, zone)}`
      + (last === null ? '' : `; last ${last.outcome} ${shownTime(last.dueMs, zone)}`)
      + (deliver === undefined ? ''
        : `; to ${escapeControls(deliver)}${last === null ? '' : shownDelivery(last)}`)), '',
  ].join('\n')).join('')
}

/** A run as one line. */
export function renderCronRun(
  { job, outcome, dueMs, startedMs, endedMs, detail, missed, delivery }: CronRun, { zone }: CronView = {},
): string {
  const took = endedMs === undefined || outcome === 'skipped' || outcome === 'missed' ? ''
    : `  ${((endedMs - startedMs) / 1000).toFixed(1)} s`
  const more = missed === undefined ? ''
    : `  (made up: ${missed} earlier ${missed === 1 ? 'time was' : 'times were'} missed)`
  const why = detail === undefined ? '' : `  ${detail}`
  return escapeControls(`${shownTime(dueMs, zone)}  ${job}  ${outcome}${took}${why}${more}`
    + (delivery === undefined || outcome === 'running' ? '' : `  to ${delivery.to}${shownDelivery({ delivery })}`))
}

function shownDelivery({ delivery }: Pick<CronRun, 'delivery'>): string {
  if (delivery === undefined) return ''
  const { state, tries, problem } = delivery
  const words = {
    waiting: tries === 0 ? 'not sent yet' : `try ${tries} of ${MOST_TRIES} failed`, sending: 'is being sent',
    delivered: 'delivered', failed: `not delivered after ${tries} tries`, unknown: 'may have arrived, not sent again',
  }
  return escapeControls(` (${words[state]}${problem === undefined ? '' : `: ${problem}`})`)
}
