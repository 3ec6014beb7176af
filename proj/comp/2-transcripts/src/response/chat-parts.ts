import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { customArguments } from '../../../1-reading/src/index.js'
import { asText, jsonOr, listOf, partType, textOf } from '../fields.js'
import { malformedCall, PartList, unreadCall } from './parts.js'

/**
 * Reads an assistant's message of OpenAI's chat completions and of compatible servers: `tool_calls` of functions and
 * custom tools, the older `function_call`; `reasoning_content` (DeepSeek, vLLM) and `reasoning` (OpenRouter); content
 * as a string or parts (Mistral's `thinking`). Source: openai-node 6, `resources/chat/completions`.
 */
export function chatParts(message: Record<string, unknown>): ResponsePart[] {
  const list = new PartList()
  list.thought(asText(message['reasoning_content'] ?? message['reasoning']))
  const { content } = message
  if (typeof content === 'string') list.text(content)
  for (const part of listOf(content)) contentPart(list, part)
  for (const call of listOf(message['tool_calls'])) toolCall(list, call)
  if (isRecord(message['function_call'])) toolCall(list, message['function_call'])
  return list.parts
}

function contentPart(list: PartList, part: unknown): void {
  if (typeof part === 'string') list.text(part)
  if (!isRecord(part)) return
  const type = partType(part)
  const value = part['value'] ?? part['text'] ?? part['tool_call']
  if (type === 'text' || type === 'output_text') list.text(textOf(value))
  else if (type === 'reasoning') list.thought(asText(value))
  else if (type === 'thinking') list.thought(asText(part['thinking'] ?? value))
  else if (type === 'tool_call') toolCall(list, typeof value === 'string' ? jsonOr(value) : value)
  // Images, audio and refusals ask for nothing.
  else if (/call|tool/.test(type)) list.unread(unreadCall(type, part))
}

/** Reads `{id, function: {name, arguments}}`, `{id, custom: {name, input}}`, or name and arguments without the rest. */
function toolCall(list: PartList, call: unknown): void {
  if (!isRecord(call)) {
    list.unread(malformedCall('tool call', call))
    return
  }
  const id = textOf(call['id'])
  const { function: called = call, custom } = call
  if (isRecord(custom)) customCall(list, custom, id)
  else {
    const type = partType(call)
    const { name, arguments: args, input } = isRecord(called) ? called : {}
    if (textOf(name) || type === '' || type === 'function') list.call('tool call', call, name, args ?? input, id)
    else list.unread(unreadCall(type, call, { id }))
  }
}

export function customCall(list: PartList, custom: Record<string, unknown>, id: string | undefined): void {
  const { name, input } = custom
  list.call('custom tool call', custom, name, customArguments(textOf(name) ?? '', input), id)
}
