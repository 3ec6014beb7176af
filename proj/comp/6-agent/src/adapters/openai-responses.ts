import type { Hermes } from '../../../5-executor/src/index.js'
import { customArguments } from '../../../1-reading/src/index.js'
import { openAiTool, type JsonSchema } from '../../../1-registry/src/index.js'
import { answerCalls, type ResponseCall } from './answers.js'
import { offeredVerbs, type OfferOptions } from './offered-verbs.js'
import type { CallOptions } from './call-options.js'

/** An entry of `tools` of a response. */
export interface ResponsesTool {
  type: 'function'
  name: string
  description: string
  parameters: JsonSchema
  /** Strict mode allows no optional parameters; hermes checks the arguments itself. */
  strict: false
}

/** The part of a response that is read: `output` holds items of every kind. */
export interface ResponseLike {
  output: readonly { type: string }[]
  status?: string | null | undefined
}

/** The input item that answers one function call. */
export interface FunctionCallOutput {
  type: 'function_call_output'
  call_id: string
  output: string
}

/** The input item that answers a call of a custom tool. */
export interface CustomToolCallOutput {
  type: 'custom_tool_call_output'
  call_id: string
  output: string
}

interface CallItem {
  type: 'function_call' | 'custom_tool_call'
  call_id: string
  name: string
  arguments?: string
  /** Input of a custom tool, in place of arguments. */
  input?: string
  status?: string
}

/** The entries for `tools` of a request. @throws HermesError `INVALID_OPTION` */
export async function responsesTools(hermes: Hermes, options: OfferOptions = {}): Promise<ResponsesTool[]> {
  return (await offeredVerbs(hermes, options)).map(({ named }) => {
    const { type, function: { name, description, parameters } } = openAiTool(named)
    return { type, name, description, parameters, strict: false }
  })
}

/**
 * Runs the function calls of one response as one run of the session. Ignores tools that OpenAI runs itself.
 *
 * @returns the items to append to the input after `response.output`: one for each call, in order
 * @throws HermesError `INVALID_OPTION`; never because of what the model wrote
 */
export async function runResponsesCalls(
  hermes: Hermes, response: ResponseLike, options: CallOptions = {},
): Promise<(FunctionCallOutput | CustomToolCallOutput)[]> {
  const { output, status } = response
  const items = output.filter(isCall).filter(({ name }) => options.except?.includes(name) !== true)
  const isCut = !isComplete(status)
  const calls = items.map((item): ResponseCall => ({
    id: item.call_id, name: item.name, arguments: item.arguments ?? customArguments(item.name, item.input),
    isCutOff: !isComplete(item.status) || (isCut && item === output.at(-1)),
  }))
  const answers = await answerCalls(hermes, calls, options)
  return items.map(({ type, call_id }, index) => (
    { type: `${type}_output`, call_id, output: JSON.stringify(answers[index]) }
  ))
}

/** A missing status means completed. */
function isComplete(status: string | null | undefined): boolean {
  return (status ?? 'completed') === 'completed'
}

function isCall(item: { type: string }): item is CallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call'
}
