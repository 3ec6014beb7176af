import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { contentText, listOf, textOf } from '../fields.js'
import { customCall } from './chat-parts.js'
import { clientToolParts } from './client-tools.js'
import { isOfService, malformedCall, PartList, serviceCall, unreadCall } from './parts.js'

/** Items that ask for nothing. */
const QUIET = new Set(['item_reference', 'compaction', 'mcp_list_tools', 'mcp_approval_response', 'additional_tools'])

/** Whether an item is the result of a call. */
export function isOutput(item: unknown): item is Record<string, unknown> {
  return isRecord(item) && (textOf(item['type']) ?? '').endsWith('_output')
}

/**
 * Reads items of `output` in OpenAI's Responses. Source: openai-node 6, `resources/responses/responses.ts`
 * (`ResponseOutputItem`).
 */
export function itemParts(items: readonly unknown[]): ResponsePart[] {
  const answered = new Set(items.filter(isOutput).map((item) => item['call_id']))
  return items.flatMap((item): ResponsePart[] => {
    if (!isRecord(item)) return [malformedCall('item', item)]
    const type = textOf(item['type']) ?? 'message'
    const id = textOf(item['call_id']) ?? textOf(item['id'])
    // The service has already run these calls in a container of its own.
    if (answered.has(item['call_id'])) return isOutput(item) ? [] : [serviceCall(type, item, id)]
    return itemPart(item, type, id)
  })
}

/** Reads one item without a result. */
export function itemPart(item: Record<string, unknown>, type: string, id: string | undefined): ResponsePart[] {
  const list = new PartList()
  if (type === 'message') {
    if (item['role'] === 'assistant') for (const part of contentPieces(item['content'])) list.text(part)
  } else if (type === 'reasoning') list.thought(contentText(item['summary']) || contentText(item['content']))
  else if (type === 'function_call') list.call('function call', item, item['name'], item['arguments'], id)
  else if (type === 'custom_tool_call') customCall(list, item, id)
  else if (isOfService(type, item)) list.unread(serviceCall(type, item, id))
  else if (!QUIET.has(type) && !type.endsWith('_output')) {
    return clientToolParts(item) ?? [unreadCall(type, item, { id })]
  }
  return list.parts
}

function contentPieces(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).flatMap((part) => (isRecord(part) ? textOf(part['text']) ?? [] : []))
}
