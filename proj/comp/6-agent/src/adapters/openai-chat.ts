import type { Hermes } from '../../../5-executor/src/index.js'
import { customArguments } from '../../../1-reading/src/index.js'
import { openAiTool, type OpenAiTool } from '../../../1-registry/src/index.js'
import { answerCalls, type ResponseCall } from './answers.js'
import { offeredVerbs, type OfferOptions } from './offered-verbs.js'
import type { CallOptions } from './call-options.js'

/** The part of a chat completion's choice that is read. */
export interface ChatChoice {
  message: {
    tool_calls?: readonly ChatToolCall[] | null | undefined
  }
  finish_reason?: string | null | undefined
}

/** A call of a function; a call of a custom tool has `custom` instead. */
export interface ChatToolCall {
  id: string
  type?: string | undefined
  function?: { name: string; arguments: string } | undefined
  custom?: { name: string; input: string } | undefined
}

/** The message that answers one call. */
export interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** Finish reasons after which the last call may be incomplete. */
const CUT_OFF = new Set(['length', 'content_filter'])

/** The entries for `tools` of a chat completion. @throws HermesError `INVALID_OPTION` */
export async function chatTools(hermes: Hermes, options: OfferOptions = {}): Promise<OpenAiTool[]> {
  return (await offeredVerbs(hermes, options)).map(({ named }) => openAiTool(named))
}

/**
 * Runs the calls of one choice (`completion.choices[0]`) as one run of the session.
 *
 * @returns the messages to append after `choice.message`: one for each call, in order
 * @throws HermesError `INVALID_OPTION`; never because of what the model wrote
 */
export async function runChatCalls(
  hermes: Hermes, choice: ChatChoice, options: CallOptions = {},
): Promise<ChatToolMessage[]> {
  const all = choice.message.tool_calls ?? []
  const isCut = CUT_OFF.has(choice.finish_reason ?? '')
  const calls = all
    .map((call) => ({ ...callOf(call), isCutOff: isCut && call === all.at(-1) }))
    .filter(({ name }) => options.except?.includes(name) !== true)
  const answers = await answerCalls(hermes, calls, options)
  return answers.map((answer, index) => (
    { role: 'tool', tool_call_id: calls[index]?.id ?? '', content: JSON.stringify(answer) }
  ))
}

/** Reads a call; one that is neither function nor custom tool has an empty name, and is answered as unknown. */
function callOf({ id, function: called, custom }: ChatToolCall): ResponseCall {
  if (called) return { id, name: called.name, arguments: called.arguments }
  const { name, input } = custom ?? { name: '' }
  return { id, name, arguments: customArguments(name, input) }
}
