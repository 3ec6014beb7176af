import { queueStatus, type QueueStatus } from '../../replay-queue/src/index.js'
import { plural } from '../../reports/src/index.js'
import { escapeControls, printableJson } from '../../text/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import { EXIT } from './exit-codes.js'
import { print } from './output.js'

/** `hermes replay --queue URL --queue-status`. */
export async function showQueueStatus(args: Arguments): Promise<number> {
  const queue = args.value('queue')
  if (queue === undefined) throw usageError('--queue-status needs a queue', 'Write --queue redis://host:6379 --queue-status.')
  const status = await queueStatus(queue)
  print(args.has('json') ? `${printableJson(status)}\n` : queueStatusText(status))
  return EXIT.ok
}

/** How it stands with a queue, for people. */
export function queueStatusText(status: QueueStatus): string {
  const { queue, workers, waiting, active, retrying, done, failed, deadLetters } = status
  const lines = deadLetters.flatMap(({ id, name, attempts, reason, worker, failedAt }) => [
    `✗  ${escapeControls(name)}  ${escapeControls(reason)}`,
    `    ${plural(attempts, 'attempt')}${worker === undefined ? '' : `, last at ${escapeControls(worker)}`}`
    + `${failedAt === undefined ? '' : `, ${failedAt}`}  ${id.slice(0, 12)}`,
  ])
  return [
    `${queue} · ${plural(workers, 'worker')}`,
    `${waiting} waiting · ${active} active · ${retrying} to be tried again · ${done} done · ${failed} failed`,
    ...(lines.length > 0 ? ['', 'Dead letters:', ...lines] : []),
    ...(failed > deadLetters.length ? [`and ${failed - deadLetters.length} more`] : []),
    '',
  ].join('\n')
}
