import * as v from 'valibot'
import { defineVerb } from '../../../0-contracts/src/index.js'
import { JOB, jobOf, schedulerOf } from './conversation-scheduler.js'

/** The jobs that `cron_add` made here, and those of the user for the same directory where the user is at a terminal. */
export const cronList = defineVerb({
  name: 'cron_list',
  vocabulary: 'clada',
  description: 'List the scheduled jobs of this conversation, with when each runs next.',
  category: 'cron',
  type: 'meta',
  polls: true,
  args: v.strictObject({}),
  result: v.array(JOB),
  examples: [{}],
  async handler(_, context) {
    return (await schedulerOf('cron_list', context).list()).map(jobOf)
  },
})
