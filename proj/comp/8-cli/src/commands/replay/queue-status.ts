import { PROMPT_JOBS, queueStatus, queueStatusText, REPLAY_JOBS } from '../../../../7-queue/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { printFound } from '../../io/output.js'

/** `hermes replay --queue URL --queue-status`, or `hermes batch`. */
export async function showQueueStatus(args: Arguments): Promise<number> {
  const written = args.value('queue')
  if (written === undefined) {
    throw usageError('--queue-status needs a queue', 'Write --queue redis://host:6379 --queue-status.')
  }
  const { queue, statuses: [transcripts, prompts] } = await queueStatus(written, [REPLAY_JOBS.queue, PROMPT_JOBS.queue])
  if (!transcripts || !prompts) throw new Error('a queue without a status')
  return printFound(args, { queue, ...transcripts, prompts }, () => queueStatusText(queue, { transcripts, prompts }))
}
