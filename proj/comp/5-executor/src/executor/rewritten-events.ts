import type { ReadEvent } from '../../../1-reading/src/index.js'
import type { ExecutorOptions } from './settings.js'

/** What was read as the session's `leaveOut` and `rewrite` want it run. */
export function rewrittenEvents(
  read: readonly ReadEvent[], { leaveOut, rewrite }: Pick<ExecutorOptions, 'leaveOut' | 'rewrite'>,
): readonly ReadEvent[] {
  const events = leaveOut ? read.map((event) => withoutLeftOut(event, leaveOut)) : read
  if (!rewrite) return events
  return events.flatMap((event): ReadEvent[] => {
    if (event.type !== 'block') return [event]
    const block = rewrite(event.block)
    return block ? [{ ...event, block }] : []
  })
}

function withoutLeftOut(event: ReadEvent, leaveOut: NonNullable<ExecutorOptions['leaveOut']>): ReadEvent {
  if (event.type !== 'block' && event.type !== 'failed') return event
  const reason = leaveOut(event)
  if (reason === undefined) return event
  const { startLine, endLine } = event.type === 'block' ? event.block : event
  const blockId = event.type === 'block' ? event.block.id : event.blockId
  return { type: 'skipped', block: { startLine, endLine, reason, ...(blockId !== undefined && { blockId }) } }
}
