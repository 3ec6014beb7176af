import { plural } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { DeadLetter, QueueStatus } from './queue-status.js'

/** How it stands with the queues of a server, for people; by what is on them. */
export function queueStatusText(queue: string, kinds: Readonly<Record<string, QueueStatus>>): string {
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
