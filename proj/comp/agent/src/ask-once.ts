import type { ModelAnswer, ModelDelta } from './answer-reader.js'
import type { LoopParts } from './loop-parts.js'
import type { Message } from './messages.js'
import { tokensOf } from './token-meter.js'
import { waitFor } from './wait.js'

/** Longest wait before a request where nothing else is asked for, in milliseconds. */
export const MOST_WAIT_MS = 60_000

/** The messages of a request: the system prompt first. */
export function withSystem({ offer: { system }, conversation }: LoopParts): Message[] {
  const all: Message[] = [...conversation.messages]
  return system === '' ? all : [{ role: 'system', content: system }, ...all]
}

/**
 * One request, counted; no retry.
 *
 * @param onDelta in place of telling of the pieces
 */
export async function askOnce(
  parts: LoopParts, messages: readonly Message[], withTools: boolean, onDelta: (delta: ModelDelta) => void = parts.emit,
): Promise<ModelAnswer> {
  const { client, model, meter, offer, emit, signal, options: { maxRetryWaitMs = MOST_WAIT_MS } } = parts
  await waitFor(Math.min(maxRetryWaitMs, client.notBefore - Date.now()), signal)
  const tools = withTools ? offer.tools : []
  const estimated = tokensOf(messages) + (withTools ? offer.toolTokens : 0)
  const answer = await client.ask({ model, messages, tools, signal, onDelta })
  emit(meter.count(answer, estimated))
  return answer
}
