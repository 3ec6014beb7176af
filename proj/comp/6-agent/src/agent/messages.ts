import type { ModelApi } from '../../../2-config/src/index.js'
import type { ImageInput } from './image-input.js'

/** A call in a message of the OpenAI chat format. */
export interface MessageCall {
  id: string
  type: 'function'
  /** `arguments` is JSON text as the model wrote it, which may be malformed. */
  function: { name: string; arguments: string }
}

/**
 * A model's thoughts as its server wants them back: signed or encrypted, in their places among text and calls of the
 * answer. No other API or model accepts them.
 */
export interface Thoughts {
  api: ModelApi
  model: string
  parts: ('text' | 'call' | Record<string, unknown>)[]
}

/** An answer of the model as it is kept and sent back: text, calls, thoughts. */
export interface AssistantMessage {
  role: 'assistant'
  /** `null` where there are calls and no text. */
  content: string | null
  tool_calls?: MessageCall[]
  /** The model's thoughts (`reasoning_content` of the API); sent back on later turns, and exported. */
  reasoning?: string
  thoughts?: Thoughts
  /** Whether the answer was stopped or never arrived, so that this is only a part. Servers are told so in its text. */
  interrupted?: true
}

/** A message of a conversation, in OpenAI's chat format. */
export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: readonly ImageInput[] }
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }

export function imagesOf(message: Message): readonly ImageInput[] {
  return message.role === 'user' ? message.images ?? [] : []
}
