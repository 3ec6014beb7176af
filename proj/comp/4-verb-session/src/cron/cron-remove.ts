import * as v from 'valibot'
import { defineVerb, text } from '../../../0-contracts/src/index.js'
import { requireConsent, schedulerOf } from './conversation-scheduler.js'

/** Takes a scheduled job of this conversation away. */
export const cronRemove = defineVerb({
  name: 'cron_remove',
  vocabulary: 'clada',
  description: 'Remove a scheduled job of this conversation. What its runs printed stays.',
  category: 'cron',
  type: 'meta',
  constraints: ['The user is asked first, unless its owner agreed beforehand.', 'Not done in a dry run.'],
  primary: 'id',
  args: v.strictObject({ id: text('The job, as cron_list has it.') }),
  result: v.strictObject({ removed: text('The job that is gone.') }),
  examples: [{ id: 'job-1' }],
  async handler({ id }, context) {
    const scheduler = schedulerOf('cron_remove', context)
    await requireConsent('cron_remove', context, `removes the scheduled job ${id}`)
    await scheduler.remove(id)
    return { removed: id }
  },
})
