import { parametersOf } from '../call-parameters.js'
import type { AssistantMessage, Message, MessageCall } from '../messages.js'

/** What the interfaces take of a name, in characters. */
const LONGEST_NAME = 64

export type WireMessage =
  | Exclude<Message, AssistantMessage>
  | (Omit<AssistantMessage, 'reasoning' | 'interrupted'> & { reasoning_content?: string })

/** Stands behind what there is of an answer; many servers take no empty one. */
const INTERRUPTED = '[Interrupted]'

/** A message as servers take it. Thoughts go back under the name they came by (seed 003). */
export function wireMessage(message: Message): WireMessage {
  if (message.role !== 'assistant') return { ...message }
  const { reasoning, tool_calls: calls, interrupted, ...rest } = message
  const content = interrupted ? `${rest.content ?? ''}\n\n${INTERRUPTED}`.trimStart() : rest.content
  return {
    ...rest, content, ...(calls && { tool_calls: calls.map(wireCall) }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  }
}

/**
 * Servers read earlier calls again, and refuse the whole conversation for a name that cannot be one, or for arguments
 * that are no object: the model gets back what it wrote in a form that passes.
 */
function wireCall({ id, type, function: { name, arguments: args } }: MessageCall): MessageCall {
  const fitting = name.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME)
  const parameters = parametersOf(args)
  const isRead = args.trim() !== '' && parameters['arguments'] !== args
  return {
    id, type,
    function: { name: fitting === '' ? 'unnamed' : fitting, arguments: isRead ? args : JSON.stringify(parameters) },
  }
}
