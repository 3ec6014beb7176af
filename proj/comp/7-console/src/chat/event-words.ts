import type { AgentEvent, EndReason } from '../../../6-agent/src/index.js'
import { duration } from '../../../1-reports/src/index.js'

const WHY = {
  max_turns: 'Stopped: the model has used all the turns of a message. Say "go on", or allow more with --max-turns.',
  cancelled: 'Cancelled.',
  loop: 'Stopped: the model made the same call with the same result five times. Say what it shall do instead.',
  length: 'Stopped: the answer was cut off at its greatest length, again and again.',
} as const

/** Why a message ended that has no answer. */
export function endWords(reason: Exclude<EndReason, 'answer'>): string {
  return WHY[reason]
}

/** What the user is told of an event that is neither text nor a call, in a line. */
export function noticeWords(event: Extract<AgentEvent, { type: 'retry' | 'context' | 'notice' }>): string {
  if (event.type === 'retry') return `${event.reason}; trying again in ${duration(event.waitMs)}`
  return event.type === 'context' ? contextWords(event) : event.text
}

function contextWords({ pruned, summarized, tokens }: Extract<AgentEvent, { type: 'context' }>): string {
  const outputs = pruned === 0 ? [] : [`${pruned} old tool ${pruned === 1 ? 'output' : 'outputs'} left out`]
  const parts = [...outputs, ...(summarized ? ['older turns summarised'] : [])]
  return `The conversation was made shorter (${parts.join(', ')}): ${shortCount(tokens)} tokens now`
}

/** `950`, `1.2k`, `34k`. */
export function shortCount(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return `${tokens < 10_000 ? (tokens / 1000).toFixed(1) : Math.round(tokens / 1000)}k`
}
