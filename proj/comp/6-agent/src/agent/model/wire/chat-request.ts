import type { OpenAiTool } from '../../../../../1-registry/src/index.js'
import type { AssistantMessage, Message } from '../../messages.js'
import { STEER_HEAD } from '../../results-head.js'
import type { Asked, Refused, RequestSettings } from './asked.js'
import { wireCall, wireText } from './wire-message.js'

/** The body of a request for a streamed answer, as OpenAI's chat completions have it. */
export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  stream: true
  stream_options?: { include_usage: true }
  tools?: OpenAiTool[]
  max_tokens?: number
  temperature?: number
  reasoning_effort?: string
}

export type ChatMessage =
  | Exclude<Message, AssistantMessage>
  | (Pick<AssistantMessage, 'role' | 'content' | 'tool_calls'> & { reasoning_content?: string })

/** What is not asked for is left out: some servers refuse an empty list of tools, or a field they do not know. */
export function chatRequest(
  { model, messages, tools = [] }: Asked, { maxTokens, temperature, reasoningEffort }: RequestSettings,
  refused: Refused = {},
): ChatRequest {
  return {
    model, messages: messages.reduce(added, []), stream: true,
    ...(!refused.usage && { stream_options: { include_usage: true } }), ...(tools.length > 0 && { tools: [...tools] }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }), ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
  }
}

/** What the user says while the model works joins the results of its blocks: some servers refuse two such messages. */
function added(messages: ChatMessage[], message: Message): ChatMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'user' || message.role !== 'user' || !message.content.startsWith(STEER_HEAD)) {
    return [...messages, chatMessage(message)]
  }
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${message.content}` }]
}

/** Thoughts go back under the name they came by (seed 003). */
function chatMessage(message: Message): ChatMessage {
  if (message.role !== 'assistant') return { ...message }
  const { role, reasoning, tool_calls: calls } = message
  return {
    role, content: wireText(message), ...(calls && { tool_calls: calls.map(wireCall) }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  }
}
