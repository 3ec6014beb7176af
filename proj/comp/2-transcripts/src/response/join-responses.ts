import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { listOf, textOf } from '../fields.js'
import { itemParts } from './item-parts.js'
import type { Joined } from './joined.js'
import { withoutLastCall } from './parts.js'

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/**
 * Joins the events of a response. The last one contains everything; if the stream ends before, the finished items and
 * the text so far are used. Source: openai-node 6, `ResponseStreamEvent`.
 */
export function joinResponses(events: readonly Record<string, unknown>[]): Joined {
  const items = new Map<unknown, { item: Record<string, unknown>; isDone: boolean; text: string }>()
  let whole: Record<string, unknown> | undefined
  for (const event of events) {
    const type = textOf(event['type']) ?? ''
    if (ENDS.has(type) && isRecord(event['response'])) whole = event['response']
    const { item, output_index: key } = event
    if (key === undefined) continue
    const held = valueAt(items, key, () => ({ item: {}, isDone: false, text: '' }))
    if (isRecord(item)) held.item = item
    if (type === 'response.output_item.done') held.isDone = true
    if (type === 'response.output_text.delta') held.text += textOf(event['delta']) ?? ''
  }
  const output = whole ? listOf(whole['output']) : []
  // Some servers omit the items in the last event.
  if (whole && (output.length > 0 || items.size === 0)) {
    return { parts: responseParts(whole, output), isEnded: true }
  }
  const done = [...items.values()].filter(({ isDone }) => isDone).map(({ item }) => item)
  const open = [...items.values()].filter(({ isDone }) => !isDone).flatMap(({ item, text }): ResponsePart[] => (
    item['type'] === 'message' ? [{ type: 'text', text }] : withoutLastCall(itemParts([item]))
  ))
  return { parts: [...itemParts(done), ...open], isEnded: whole !== undefined }
}

/** Reads the items of a response. Incomplete items never run, nor does the last call of an incomplete response. */
export function responseParts(response: Record<string, unknown>, output: readonly unknown[]): ResponsePart[] {
  const isCut = (textOf(response['status']) ?? 'completed') !== 'completed'
  const isOpen = (item: unknown, index: number): boolean => (isCut && index === output.length - 1) || isIncomplete(item)
  return [
    ...itemParts(output.filter((item, index) => !isOpen(item, index))),
    ...output.filter(isOpen).flatMap((item) => withoutLastCall(itemParts([item]))),
  ]
}

function isIncomplete(item: unknown): boolean {
  if (!isRecord(item)) return false
  const isFunction = item['type'] === 'function_call' || item['type'] === 'custom_tool_call'
  return item['status'] === 'incomplete' || (isFunction && item['status'] === 'in_progress')
}
