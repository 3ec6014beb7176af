import { PROMPT_JOBS } from '../../batch-queue/src/index.js'
import { queueStatus, type DeadLetter, type QueueStatus } from '../../job-queue/src/index.js'
import { REPLAY_JOBS } from '../../replay-queue/src/index.js'
import { plural } from '../../reports/src/index.js'
import { escapeControls, printableJson } from '../../text/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import { EXIT } from './exit-codes.js'
import { print } from './output.js'

/** `hermes replay --queue URL --queue-status`, or `hermes batch`. */
export async function showQueueStatus(args: Arguments): Promise<number> {
  const written = args.value('queue')
  if (written === undefined) {
    throw usageError('--queue-status needs a queue', 'Write --queue redis://host:6379 --queue-status.')
  }
  const { queue, statuses: [transcripts, prompts] } = await queueStatus(written, [REPLAY_JOBS.queue, PROMPT_JOBS.queue])
  if (!transcripts || !prompts) throw new Error('a queue without a status')
  print(args.has('json') ? `${printableJson({ queue, ...transcripts, prompts })}\n`
    : queueStatusText(queue, { transcripts, prompts }))
  return EXIT.ok
}

/** How it stands with the queues of a server, for people; by what is on them. */
function queueStatusText(queue: string, kinds: Readonly<Record<string, QueueStatus>>): string {
  const width = Math.max(...Object.keys(kinds).map((kind) => kind.length))
  const letters = Object.values(kinds).flatMap(({ deadLetters }) => deadLetters)
  const failed = Object.values(kinds).reduce((sum, one) => sum + one.failed, 0)
  return [
    queue,
    ...Object.entries(kinds).map(([kind, { workers, waiting, active, retrying, done, failed: dead }]) => (
      `${kind.padEnd(width)}  ${plural(workers, 'worker')} · ${waiting} waiting · ${active} active · ${retrying} to be `
        + `tried again · ${done} done · ${dead} failed`
    )),
    ...(letters.length > 0 ? ['', 'Dead letters:', ...letters.flatMap(letterLines)] : []),
    ...(failed > letters.length ? [`and ${failed - letters.length} more`] : []),
    '',
  ].join('\n')
}

function letterLines({ id, name, attempts, reason, worker, failedAt }: DeadLetter): string[] {
  return [
    `✗  ${escapeControls(name)}  ${escapeControls(reason)}`,
    `    ${plural(attempts, 'attempt')}${worker === undefined ? '' : `, last at ${escapeControls(worker)}`}`
    + `${failedAt === undefined ? '' : `, ${failedAt}`}  ${id.slice(0, 12)}`,
  ]
}
