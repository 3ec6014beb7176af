import type { OpenAiTool } from '../../../../../1-registry/src/index.js'
import type { ImageInput } from '../../image-input.js'
import { imagesOf, type Message } from '../../messages.js'
import type { Asked, Refused, RequestSettings } from './asked.js'
import { wireParts } from './wire-message.js'

/** Default of the longest answer in tokens, which current models accept; a model that accepts less says so. */
const MOST_TOKENS = 32_000

/** Everything up to here is read from the server's cache the next time, at a tenth of the price. */
interface Cacheable {
  cache_control?: { type: 'ephemeral' }
}

type Block = Cacheable & (
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageInput['mediaType']; data: string } }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content?: string }
)

type Schema = Omit<OpenAiTool['function']['parameters'], 'type'>

interface WireMessage {
  role: 'user' | 'assistant'
  content: (Block | Record<string, unknown>)[]
}

/** The body of a request for a streamed answer of Anthropic's Messages. */
export interface MessagesRequest {
  model: string
  max_tokens: number
  system?: ({ type: 'text'; text: string } & Cacheable)[]
  messages: WireMessage[]
  stream: true
  tools?: { name: string; description: string; input_schema: { type: 'object' } & Schema }[]
  temperature?: number
  thinking?: { type: 'adaptive'; display: 'summarized' }
  output_config?: { effort: string }
}

export function messagesRequest(
  { model, messages, tools = [] }: Asked, { maxTokens = MOST_TOKENS, temperature, reasoningEffort }: RequestSettings,
  refused: Refused = {},
): MessagesRequest {
  const [first] = messages
  const system = first?.role === 'system' ? first.content : ''
  const rest = system === '' ? messages : messages.slice(1)
  return {
    model, max_tokens: Math.min(maxTokens, refused.longer ?? Infinity),
    ...(system !== '' && { system: [cached({ type: 'text', text: system })] }),
    messages: marked(rest, model), stream: true,
    ...(tools.length > 0 && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name, description, input_schema: { ...parameters, type: 'object' },
      })),
    }),
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && {
      thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: reasoningEffort },
    }),
  }
}

/**
 * Sets two marks for the cache: at the end, for the next request of the same message, and before the user's last
 * message, since the working context moves behind that.
 */
function marked(messages: readonly Message[], model: string): WireMessage[] {
  const lastOfUser = Math.max(0, messages.findLastIndex(({ role }) => role === 'user'))
  const all: WireMessage[] = []
  join(all, messages.slice(0, lastOfUser), model)
  const before = all.findLastIndex(({ role }) => role === 'assistant')
  join(all, messages.slice(lastOfUser), model)
  for (const at of new Set([before, all.length - 1])) {
    const blocks = all[at]?.content ?? []
    const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
    if (last >= 0) blocks[last] = cached(blocks[last] ?? {})
  }
  return all
}

/** Roles must alternate: results of calls are the user's, and consecutive messages of one role become one. */
function join(all: WireMessage[], messages: readonly Message[], model: string): void {
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, model)
    const last = all.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) all.push({ role, content })
  }
}

function blocksOf(message: Message, model: string): WireMessage['content'] {
  if (message.role === 'tool') {
    const { content } = message
    const result = { type: 'tool_result', tool_use_id: wireId(message.tool_call_id) }
    return [content.trim() === '' ? result : { ...result, content }]
  }
  // Empty text is refused.
  if (message.role !== 'assistant') {
    const text = message.content.trim() === '' ? [] : [{ type: 'text' as const, text: message.content }]
    return [...imagesOf(message).map(imageBlock), ...text]
  }
  return wireParts(message, { api: 'anthropic', model }).map((part) => {
    if (part.type === 'thought') return part.thought
    if (part.type === 'text') return part
    const { id, function: { name, arguments: args } } = part.call
    return { type: 'tool_use', id: wireId(id), name, input: JSON.parse(args) as unknown }
  })
}

/** Anthropic's guide puts images before the text that refers to them. */
function imageBlock({ mediaType, data }: ImageInput): Block {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
}

/** Ids from other APIs may have characters that this one refuses. */
function wireId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_')
}

function cached<Part extends object>(block: Part): Part & Cacheable {
  return { ...block, cache_control: { type: 'ephemeral' } }
}
