import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, partType, textOf } from '../fields.js'
import { isOfService, PartList, serviceCall, unreadCall } from './parts.js'

/** Roles by their names in `messages_to_dict`, `model_dump` and `dumps`. */
const ROLES: Readonly<Record<string, LangChainMessage['role']>> = {
  ai: 'assistant', AIMessage: 'assistant', AIMessageChunk: 'assistant', human: 'user', HumanMessage: 'user',
  HumanMessageChunk: 'user', system: 'system', SystemMessage: 'system', SystemMessageChunk: 'system', tool: 'results',
  ToolMessage: 'results', ToolMessageChunk: 'results', function: 'results', FunctionMessage: 'results',
}

export interface LangChainMessage {
  role: 'assistant' | 'user' | 'system' | 'results'
  fields: Record<string, unknown>
}

/**
 * Reads a LangChain message in any form: `{lc, type: "constructor", id: […, "AIMessage"], kwargs}` (`dumps`), `{type:
 * "ai", data}` (`message_to_dict`), or its fields with `type` (`model_dump`). Source: langchain-core, `load/dump.py`
 * and `messages/ai.py`.
 */
export function langChainMessage(value: unknown): LangChainMessage | undefined {
  if (!isRecord(value)) return undefined
  const { type, data, kwargs } = value
  if ('lc' in value && type === 'constructor' && isRecord(kwargs)) {
    return message(textOf(listOf(value['id']).at(-1)), kwargs)
  }
  if (isRecord(data) && 'content' in data) return message(textOf(type), data)
  const isDump = 'content' in value && ('additional_kwargs' in value || 'response_metadata' in value)
  return isDump ? message(textOf(type), value) : undefined
}

function message(name = '', fields: Record<string, unknown>): LangChainMessage | undefined {
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
  return role && { role, fields }
}

/** Reads the parts of an `AIMessage`: calls are in `tool_calls`, those with invalid JSON in `invalid_tool_calls`. */
export function langChainParts(fields: Record<string, unknown>): ResponsePart[] {
  const list = new PartList()
  const calls = [...listOf(fields['tool_calls']), ...listOf(fields['invalid_tool_calls'])]
  const ids = new Set(calls.map((call) => (isRecord(call) ? call['id'] : undefined)))
  const extra = fields['additional_kwargs']
  if (isRecord(extra)) list.thought(textOf(extra['reasoning_content']))
  const { content } = fields
  if (typeof content === 'string') list.text(content)
  for (const part of listOf(content)) contentPart(list, part, ids)
  for (const call of calls) toolCall(list, call)
  return list.parts
}

/** Parts of the provider for a call only repeat one of `tool_calls`. */
function contentPart(list: PartList, part: unknown, ids: ReadonlySet<unknown>): void {
  if (typeof part === 'string') list.text(part)
  if (!isRecord(part)) return
  const type = partType(part)
  if (type === 'text' || type === 'output_text') list.text(textOf(part['text']))
  else if (type === 'reasoning' || type === 'thinking') list.thought(textOf(part['reasoning'] ?? part['thinking']))
  else if (/tool_use|call|tool/.test(type) && !type.endsWith('_result') && !ids.has(part['call_id'] ?? part['id'])) {
    const id = textOf(part['id'])
    list.unread(isOfService(type, part) ? serviceCall(type, part, id) : unreadCall(type, part, { id }))
  }
}

function toolCall(list: PartList, call: unknown): void {
  const { name, args, id } = isRecord(call) ? call : {}
  list.call('tool call', call, name, args, textOf(name) ? textOf(id) : undefined)
}
