import type { OpenAiTool } from '../../../../../1-registry/src/index.js'
import { dataUrl, type ImageInput } from '../../image-input.js'
import { imagesOf, type AssistantMessage, type Message } from '../../messages.js'
import { STEER_HEAD } from '../../results-head.js'
import type { Asked, Refused, RequestSettings } from './asked.js'
import { wireCall, wireText } from './wire-message.js'

/** The body of a request for a streamed chat completion. */
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

type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export type ChatMessage =
  | Extract<Message, { role: 'system' | 'tool' }>
  | { role: 'user'; content: string | ChatPart[] }
  | (Pick<AssistantMessage, 'role' | 'content' | 'tool_calls'> & { reasoning_content?: string })

/** Fields that are not needed are left out: some servers refuse an empty list of tools, or an unknown field. */
export function chatRequest(
  { model, messages, tools = [] }: Asked, { maxTokens, temperature, reasoningEffort }: RequestSettings,
  refused: Refused = {},
): ChatRequest {
  return {
    model, messages: messages.reduce(added, []).map(chatMessage), stream: true,
    ...(!refused.usage && { stream_options: { include_usage: true } }), ...(tools.length > 0 && { tools: [...tools] }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }), ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
  }
}

/**
 * Appends the user's interjection to the results of blocks before it: some servers refuse two user messages in a row.
 */
function added(messages: Message[], message: Message): Message[] {
  const last = messages.at(-1)
  if (last?.role !== 'user' || message.role !== 'user' || !message.content.startsWith(STEER_HEAD)) {
    return [...messages, message]
  }
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${message.content}` }]
}

/** Thoughts go back in the field that they came in. */
function chatMessage(message: Message): ChatMessage {
  if (message.role === 'user') return { role: 'user', content: userContent(message.content, imagesOf(message)) }
  if (message.role !== 'assistant') return { ...message }
  const { role, reasoning, tool_calls: calls } = message
  return {
    role, content: wireText(message), ...(calls && { tool_calls: calls.map(wireCall) }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  }
}

/** A text without images stays a plain string: many servers accept nothing else. */
function userContent(text: string, images: readonly ImageInput[]): string | ChatPart[] {
  if (images.length === 0) return text
  const shown = images.map((image): ChatPart => ({ type: 'image_url', image_url: { url: dataUrl(image) } }))
  return text.trim() === '' ? shown : [...shown, { type: 'text', text }]
}
