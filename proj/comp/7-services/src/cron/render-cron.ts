import { createPalette } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { JobState } from './job-states.js'
import type { CronRun } from './runs.js'

/** Jobs, with when they run next and how they ended last. */
export function renderJobs(jobs: readonly JobState[], { colour }: { colour: boolean }): string {
  const { faint } = createPalette(colour)
  return jobs.map(({ id, schedule, timeZone, prompt, answer, root, nextMs, last }) => [
    `${id}  ${escapeControls(schedule)}${timeZone === undefined ? '' : ` ${timeZone}`}  `
      + `${escapeControls(prompt === undefined ? `runs ${answer ?? ''}` : JSON.stringify(prompt))}`,
    faint(`    in ${escapeControls(root)}; next ${shownTime(nextMs ?? undefined)}`
      + (last === null ? '' : `; last ${last.outcome} ${shownTime(last.dueMs)}`)), '',
  ].join('\n')).join('')
}

/** One run, on a line. */
export function renderCronRun({ job, outcome, dueMs, startedMs, endedMs, detail, missed }: CronRun): string {
  const took = endedMs === undefined || outcome === 'skipped' ? '' : `  ${((endedMs - startedMs) / 1000).toFixed(1)} s`
  const more = missed === undefined ? ''
    : `  (made up: ${missed} earlier ${missed === 1 ? 'time was' : 'times were'} missed)`
  const why = detail === undefined ? '' : `  ${detail}`
  return escapeControls(`${shownTime(dueMs)}  ${job}  ${outcome}${took}${why}${more}`)
}

/** A time in this machine's time zone. */
export function shownTime(ms: number | undefined): string {
  if (ms === undefined) return 'never'
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
