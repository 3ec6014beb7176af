import { parametersOf } from '../../call-parameters.js'
import type { ModelApi } from '../../../../../2-config/src/index.js'
import type { AssistantMessage, MessageCall } from '../../messages.js'

/** Longest function name that all APIs accept, in characters. */
const LONGEST_NAME = 64

/** Appended to an interrupted answer; many servers refuse an empty one. */
const INTERRUPTED = '[Interrupted]'

/** A part of an answer as it is sent back to the server. */
export type WirePart =
  | { type: 'text'; text: string }
  | { type: 'call'; call: MessageCall }
  | { type: 'thought'; thought: Record<string, unknown> }

/** The text; `null` for an answer with calls only. */
export function wireText({ content, interrupted }: AssistantMessage): string | null {
  return interrupted ? `${content ?? ''}\n\n${INTERRUPTED}`.trimStart() : content
}

/**
 * A call as it is sent back. Servers check earlier calls again, and refuse the whole conversation for an invalid name,
 * or for arguments that are not an object: so these are changed into a form that passes.
 */
export function wireCall({ id, type, function: { name, arguments: args } }: MessageCall): MessageCall {
  const fitting = name.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME)
  const parameters = parametersOf(args)
  const isRead = args.trim() !== '' && parameters['arguments'] !== args
  return {
    id, type,
    function: { name: fitting === '' ? 'unnamed' : fitting, arguments: isRead ? args : JSON.stringify(parameters) },
  }
}

/** The parts of an answer in order, with thoughts only if they came from this API and model. */
export function wireParts(message: AssistantMessage, to: { api: ModelApi; model: string }): WirePart[] {
  const { tool_calls: calls = [], thoughts } = message
  const text = wireText(message) ?? ''
  const isOwn = thoughts?.api === to.api && thoughts.model === to.model
  const said: WirePart[] = text.trim() === '' ? [] : [{ type: 'text', text }]
  const left = calls.map((call): WirePart => ({ type: 'call', call: wireCall(call) }))
  const placed = (isOwn ? thoughts.parts : []).flatMap((part): WirePart[] => {
    if (typeof part === 'object') return [{ type: 'thought', thought: part }]
    return part === 'text' ? said.splice(0) : left.splice(0, 1)
  })
  return [...placed, ...said, ...left]
}

