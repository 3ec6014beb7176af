import * as v from 'valibot'
import {
  HermesError, text, type ScheduledJob, type Scheduler, type VerbContext,
} from '../../../0-contracts/src/index.js'

/** A job as models see it. */
export const JOB = v.strictObject({
  id: text('Its name, for cron_remove.'),
  schedule: text('When, as written.'),
  prompt: text('What is asked then.'),
  next: text('When it runs next, with the time zone; or never.'),
  delivers_to: v.optional(text('The conversation that gets the answer. Without it the answer is kept for the user.')),
})

export function jobOf({ id, schedule, prompt, next, deliversTo }: ScheduledJob): v.InferOutput<typeof JOB> {
  return { id, schedule, prompt, next, ...(deliversTo !== undefined && { delivers_to: deliversTo }) }
}

/** @throws HermesError `NOT_INSTALLED` where nothing is scheduled */
export function schedulerOf(verb: string, { scheduler }: VerbContext): Scheduler {
  if (scheduler) return scheduler
  throw new HermesError('NOT_INSTALLED', `${verb}: no jobs are scheduled here`, {
    hint: 'It works in hermes chat once hermes cron was used, and in hermes gateway with gateway.cron: true.',
  })
}

/** @throws HermesError `APPROVAL_DENIED` */
export async function requireConsent(
  verb: string, { scheduler, approve }: VerbContext, reason: string,
): Promise<void> {
  if (scheduler?.consent === 'given' || await approve({ action: verb, reason }) === 'granted') return
  throw new HermesError('APPROVAL_DENIED', `${verb}: that needs a yes of the user`, {
    hint: 'Leave it, or tell the user the command: hermes cron add "SCHEDULE" "PROMPT".',
  })
}
