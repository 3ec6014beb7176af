import * as v from 'valibot'
import { boundedText, defineVerb, described, HermesError, text } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { JOB, jobOf, requireConsent, schedulerOf } from './conversation-scheduler.js'

/** Longest prompt of a job. */
const MOST_PROMPT = 20_000

/** Schedules a prompt for an agent; jobs run in `hermes cron`. */
export const cronAdd = defineVerb({
  name: 'cron_add',
  vocabulary: 'clada',
  description: 'Have an agent asked something later, once or again and again, e.g. to remind the user in 30 minutes. '
    + 'The answer goes to this conversation where that is by messages, else it is kept for the user.',
  category: 'cron',
  type: 'meta',
  constraints: [
    'The user is asked first, unless its owner agreed beforehand.',
    'The job may do no more than this conversation, and nobody can approve anything then.',
    'Not done in a dry run.',
  ],
  primary: 'schedule',
  args: v.strictObject({
    schedule: text('When: "in 30m", "at 18:00", "tomorrow 9:00", "at 2026-12-01 09:00" for one run; for more a cron '
      + 'expression: minute hour day month weekday, e.g. "30 7 * * 1-5".'),
    prompt: boundedText('What is asked then. It knows nothing of this conversation: say all that is needed, and what '
      + 'the answer shall be, e.g. "Answer only: time to call Ana".', { min: 1, max: MOST_PROMPT }),
    name: v.optional(text('What the job is called: small letters, digits and -. Default: job-1, job-2, …')),
    time_zone: v.optional(text('Of the schedule, e.g. Europe/Berlin. Default: that of the user.')),
  }),
  result: v.strictObject({
    ...JOB.entries,
    runner_works: described(v.boolean(), 'False: nothing runs before the user starts hermes cron run.'),
  }),
  examples: [{ schedule: 'in 30m', prompt: 'Answer only: time to call Ana.' }],
  async handler({ schedule, prompt, name, time_zone: timeZone }, context) {
    const scheduler = schedulerOf('cron_add', context)
    await requireConsent('cron_add', context, `starts an agent unattended (${schedule}): ${clip(prompt, 500)}`)
    try {
      const job = await scheduler.add({
        schedule, prompt, ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }),
      })
      const runs = scheduler.isRunning()
      if (!runs) context.advise?.('No runner works: tell the user that hermes cron run has to be started.', true)
      return { ...jobOf(job), runner_works: runs }
    } catch (error) {
      if (!(error instanceof HermesError) || error.code !== 'INVALID_OPTION') throw error
      throw new HermesError('INVALID_PARAMETER', `cron_add: ${error.message}`, { hint: error.hint, cause: error })
    }
  },
})
