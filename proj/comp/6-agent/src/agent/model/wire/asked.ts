import type { OpenAiTool } from '../../../../../1-registry/src/index.js'
import type { AgentOptions } from '../../loop-options.js'
import type { Message } from '../../messages.js'

export interface Asked {
  model: string
  messages: readonly Message[]
  tools?: readonly OpenAiTool[]
}

export type RequestSettings = Pick<AgentOptions, 'maxTokens' | 'temperature' | 'reasoningEffort'>

/** What a server has refused, and is asked for no more. */
export interface Refused {
  /** Figures of tokens (chat completions). */
  usage?: true
  /** Thoughts that are encrypted (Responses): models that do not think have none. */
  encrypted?: true
  /** Longer answers than this, in tokens (Messages, which has to be told a greatest length). */
  longer?: number
}
