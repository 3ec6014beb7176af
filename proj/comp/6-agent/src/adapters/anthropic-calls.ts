import type { Hermes } from '../../../5-executor/src/index.js'
import { anthropicTool, type AnthropicTool } from '../../../1-registry/src/index.js'
import { answerCalls } from './answers.js'
import { offeredVerbs, type OfferOptions } from './offered-verbs.js'
import type { CallOptions } from './call-options.js'

/** The part of a message that is read: `content` holds blocks of every kind. */
export interface AnthropicMessage {
  content: readonly { type: string }[]
  stop_reason?: string | null | undefined
}

/** The block that answers one call. */
export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content: string
  is_error?: true
}

/** The message with all answers: the interface requires a single one. */
export interface ToolResultMessage {
  role: 'user'
  content: ToolResultBlock[]
}

interface ToolUse {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

/** Stop reasons after which the last call may be incomplete: the SDK completes the JSON of a stream that breaks off. */
const CUT_OFF = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal'])

/** The entries for `tools` of a request. @throws HermesError `INVALID_OPTION` */
export async function anthropicTools(hermes: Hermes, options: OfferOptions = {}): Promise<AnthropicTool[]> {
  return (await offeredVerbs(hermes, options)).map(({ named }) => anthropicTool(named))
}

/**
 * Runs the `tool_use` blocks of one message as one run of the session. Ignores tools that Anthropic runs itself.
 *
 * @returns the messages to append after the assistant's: one with a `tool_result` for each call, in order; none where
 * there was no call
 * @throws HermesError `INVALID_OPTION`; never because of what the model wrote
 */
export async function runToolUses(
  hermes: Hermes, message: AnthropicMessage, options: CallOptions = {},
): Promise<ToolResultMessage[]> {
  const isCut = CUT_OFF.has(message.stop_reason ?? '')
  const uses = message.content.filter(isToolUse).filter(({ name }) => options.except?.includes(name) !== true)
  const calls = uses.map((use) => (
    { id: use.id, name: use.name, arguments: use.input, isCutOff: isCut && use === message.content.at(-1) }
  ))
  const answers = await answerCalls(hermes, calls, options)
  const content = answers.map((answer, index): ToolResultBlock => ({
    type: 'tool_result', tool_use_id: uses[index]?.id ?? '', content: JSON.stringify(answer),
    ...(!answer.success && { is_error: true }),
  }))
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function isToolUse(block: { type: string }): block is ToolUse {
  return block.type === 'tool_use'
}
