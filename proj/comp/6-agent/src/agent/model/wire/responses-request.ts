import type { OpenAiTool } from '../../../../../1-registry/src/index.js'
import { dataUrl, type ImageInput } from '../../image-input.js'
import { imagesOf, type Message } from '../../messages.js'
import type { Asked, Refused, RequestSettings } from './asked.js'
import { wireParts } from './wire-message.js'

/** The body of a request for a streamed answer of OpenAI's Responses; the server stores nothing of it. */
export interface ResponsesRequest {
  model: string
  instructions?: string
  input: ResponsesItem[]
  stream: true
  store: false
  include?: ['reasoning.encrypted_content']
  tools?: ({ type: 'function'; strict: false } & OpenAiTool['function'])[]
  max_output_tokens?: number
  temperature?: number
  reasoning?: { effort: string; summary: 'auto' }
}

type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }

type ResponsesItem =
  | { role: 'user' | 'assistant' | 'system'; content: string | ResponsesPart[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string }
  | Record<string, unknown>

export function responsesRequest(
  { model, messages, tools = [] }: Asked, { maxTokens, temperature, reasoningEffort }: RequestSettings,
  refused: Refused = {},
): ResponsesRequest {
  const [first] = messages
  const instructions = first?.role === 'system' ? first.content : ''
  return {
    model, ...(instructions !== '' && { instructions }),
    input: (instructions === '' ? messages : messages.slice(1)).flatMap((message) => itemsOf(message, model)),
    stream: true, store: false,
    ...(!refused.encrypted && { include: ['reasoning.encrypted_content'] }),
    ...(tools.length > 0 && {
      tools: tools.map(({ function: called }) => ({ type: 'function', ...called, strict: false })),
    }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }), ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning: { effort: reasoningEffort, summary: 'auto' } }),
  }
}

function itemsOf(message: Message, model: string): ResponsesItem[] {
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }]
  }
  const images = imagesOf(message)
  if (images.length > 0) return [{ role: 'user', content: withImages(message.content ?? '', images) }]
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }]
  return wireParts(message, { api: 'responses', model }).map((part): ResponsesItem => {
    if (part.type === 'thought') return part.thought
    if (part.type === 'text') return { role: 'assistant', content: part.text }
    const { id, function: { name, arguments: args } } = part.call
    return { type: 'function_call', call_id: id, name, arguments: args }
  })
}

function withImages(text: string, images: readonly ImageInput[]): ResponsesPart[] {
  const shown = images.map((image): ResponsesPart => (
    { type: 'input_image', image_url: dataUrl(image), detail: 'auto' }
  ))
  return text.trim() === '' ? shown : [...shown, { type: 'input_text', text }]
}
