import type { ModelAnswer, ModelDelta } from './wire/answer-pieces.js'
import type { LoopParts } from '../loop-parts.js'
import type { Message } from '../messages.js'
import { tokensOf } from './token-meter.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextPrompt } from '../../../../5-executor/src/index.js'

/** Default of the longest wait before a request, in milliseconds. */
export const MOST_WAIT_MS = 60_000

/**
 * The messages of a request: system prompt first; the working context comes just before the user's last message, so
 * that what precedes it stays in the server's cache.
 */
export async function promptOf(parts: LoopParts): Promise<{ messages: Message[]; contextTokens: number }> {
  const { offer: { system }, conversation } = parts
  const { text, tokens } = await workingContext(parts)
  const all: Message[] = [...conversation.messages]
  if (text !== '') all.splice(Math.max(0, conversation.lastUserIndex()), 0, { role: 'user', content: text })
  return { messages: system === '' ? all : [{ role: 'system', content: system }, ...all], contextTokens: tokens }
}

/** Receives an answer as it streams, in place of the agent's events. */
export interface AnswerListener {
  onDelta: (delta: ModelDelta) => void
  /** See `AnswerReader`. */
  onText?: (written: string) => void
}

/** Asks for the next answer of the conversation. @throws as `askOnce` */
export async function askNext(parts: LoopParts, withTools: boolean, listener?: AnswerListener): Promise<ModelAnswer> {
  const { messages, contextTokens } = await promptOf(parts)
  return askOnce(parts, messages, withTools, listener, contextTokens)
}

/**
 * Makes one request and counts its tokens; no retry.
 *
 * @param contextTokens tokens of the working context among the messages
 */
export async function askOnce(
  parts: LoopParts, messages: readonly Message[], withTools: boolean,
  listener: AnswerListener = { onDelta: parts.emit }, contextTokens = 0,
): Promise<ModelAnswer> {
  const { client, model, meter, offer, emit, signal, options: { maxRetryWaitMs = MOST_WAIT_MS } } = parts
  await waitFor(Math.min(maxRetryWaitMs, client.notBefore - Date.now()), signal)
  const tools = withTools ? offer.tools : []
  const estimated = tokensOf(messages) + (withTools ? offer.toolTokens : 0)
  const onNotice = (text: string): void => emit({ type: 'notice', text })
  const answer = await client.ask({ model, messages, tools, signal, onNotice, ...listener })
  emit(meter.count(answer, model, estimated, contextTokens))
  return answer
}

/** Waits, or until the signal is aborted: then it just returns. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** It takes at most this part of the window; what was not used for longest is left out then. */
const SHARE = 1 / 4

/** The files that the task keeps in view (`context_add`), as they are now. */
export async function workingContext(
  { hermes, window, model }: Pick<LoopParts, 'hermes' | 'window' | 'model'>,
): Promise<ContextPrompt> {
  return hermes.contextPrompt({ maxTokens: Math.floor(window.of(model) * SHARE) })
}
