import type { OpenAiTool } from '../../../../1-registry/src/index.js'
import type { Message } from '../messages.js'
import type { AgentOptions } from '../loop-options.js'
import { STEER_HEAD } from '../results-head.js'
import { wireMessage, type WireMessage } from './wire-message.js'

/** The body of a request for a streamed answer, as OpenAI's chat completions have it. */
export interface CompletionRequest {
  model: string
  messages: WireMessage[]
  stream: true
  stream_options?: { include_usage: true }
  tools?: OpenAiTool[]
  max_tokens?: number
  temperature?: number
}

export interface Asked {
  model: string
  messages: readonly Message[]
  tools?: readonly OpenAiTool[]
}

/**
 * What is not asked for is left out: some servers refuse an empty list of tools, or a field they do not know.
 *
 * @param asksUsage the answer is to end with the count of its tokens
 */
export function completionRequest(
  { model, messages, tools = [] }: Asked, { maxTokens, temperature }: Pick<AgentOptions, 'maxTokens' | 'temperature'>,
  asksUsage: boolean,
): CompletionRequest {
  return {
    model, messages: messages.reduce(added, []), stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }), ...(tools.length > 0 && { tools: [...tools] }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }), ...(temperature !== undefined && { temperature }),
  }
}

/** What the user says while the model works joins the results of its blocks: some servers refuse two such messages. */
function added(messages: WireMessage[], message: Message): WireMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'user' || message.role !== 'user' || !message.content.startsWith(STEER_HEAD)) {
    return [...messages, wireMessage(message)]
  }
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${message.content}` }]
}
