import type { ModelAnswer, ModelDelta } from './wire/answer-pieces.js'
import type { LoopParts } from '../loop-parts.js'
import type { Message } from '../messages.js'
import { tokensOf } from './token-meter.js'
import { waitFor } from './wait.js'
import { workingContext } from '../working-context.js'

/** Longest wait before a request where nothing else is asked for, in milliseconds. */
export const MOST_WAIT_MS = 60_000

/**
 * The messages of a request: the system prompt first, the working context before the user's last message, so that
 * what stands before it stays as servers have read it.
 */
export async function promptOf(parts: LoopParts): Promise<{ messages: Message[]; contextTokens: number }> {
  const { offer: { system }, conversation } = parts
  const { text, tokens } = await workingContext(parts)
  const all: Message[] = [...conversation.messages]
  if (text !== '') all.splice(Math.max(0, conversation.lastUserIndex()), 0, { role: 'user', content: text })
  return { messages: system === '' ? all : [{ role: 'system', content: system }, ...all], contextTokens: tokens }
}

/** Who is told of an answer while it comes, in place of the events. */
export interface AnswerListener {
  onDelta: (delta: ModelDelta) => void
  /** See `AnswerReader`. */
  onText?: (written: string) => void
}

/** An answer to the conversation as it is. @throws as `askOnce` */
export async function askNext(parts: LoopParts, withTools: boolean, listener?: AnswerListener): Promise<ModelAnswer> {
  const { messages, contextTokens } = await promptOf(parts)
  return askOnce(parts, messages, withTools, listener, contextTokens)
}

/**
 * One request, counted; no retry.
 *
 * @param contextTokens of the working context among the messages
 */
export async function askOnce(
  parts: LoopParts, messages: readonly Message[], withTools: boolean,
  listener: AnswerListener = { onDelta: parts.emit }, contextTokens = 0,
): Promise<ModelAnswer> {
  const { client, model, meter, offer, emit, signal, options: { maxRetryWaitMs = MOST_WAIT_MS } } = parts
  await waitFor(Math.min(maxRetryWaitMs, client.notBefore - Date.now()), signal)
  const tools = withTools ? offer.tools : []
  const estimated = tokensOf(messages) + (withTools ? offer.toolTokens : 0)
  const answer = await client.ask({ model, messages, tools, signal, ...listener })
  emit(meter.count(answer, model, estimated, contextTokens))
  return answer
}
