import type { ModelApi } from '../../../2-config/src/index.js'

/** A call as a message of the OpenAI chat format holds it. */
export interface MessageCall {
  id: string
  type: 'function'
  /** `arguments` is the JSON text as the model wrote it, which may be malformed. */
  function: { name: string; arguments: string }
}

/**
 * Thoughts as a server wants them back: signed or encrypted, in their places among the text and the calls of the
 * answer. No other interface or model takes them.
 */
export interface Thoughts {
  api: ModelApi
  model: string
  parts: ('text' | 'call' | Record<string, unknown>)[]
}

export interface AssistantMessage {
  role: 'assistant'
  /** `null` where there are calls and no text. */
  content: string | null
  tool_calls?: MessageCall[]
  /** What the model thought (`reasoning_content` of the API); passed back on later turns, and exported (seed 003). */
  reasoning?: string
  thoughts?: Thoughts
  /** It stopped before its author did, or never came: what there is of it. Servers are told so in its text. */
  interrupted?: true
}

/** A message of a conversation, in OpenAI's chat format (seed 003, 'Conversation Management'). */
export type Message =
  | { role: 'system' | 'user'; content: string }
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }
