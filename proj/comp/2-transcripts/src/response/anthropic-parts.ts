import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, partType, textOf } from '../fields.js'
import { isOfService, malformedCall, PartList, serviceCall, unreadCall } from './parts.js'

const QUIET = new Set(['redacted_thinking', 'container_upload', 'image', 'document'])

/** Only Anthropic's messages have a part of this type. */
export function isAnthropicPart(part: unknown): boolean {
  return /(?:^|_)tool_(?:use|result)$|^(?:redacted_)?thinking$/.test(partType(part))
}

/**
 * The content of a message of the assistant in Anthropic's Messages. Source: anthropic-sdk-typescript,
 * `resources/messages` (`ContentBlock`).
 */
export function anthropicParts(content: unknown): ResponsePart[] {
  const list = new PartList()
  if (typeof content === 'string') list.text(content)
  for (const block of listOf(content)) {
    const type = partType(block)
    if (!isRecord(block) || type === '') list.unread(malformedCall('content block', block))
    else if (type === 'text') list.text(textOf(block['text']))
    else if (type === 'thinking') list.thought(textOf(block['thinking']))
    else if (type === 'tool_use') {
      list.call("'tool_use' block", block, block['name'], block['input'], textOf(block['id']))
    } else if (isOfService(type, block)) {
      list.unread(serviceCall(`${type} ${textOf(block['name']) ?? ''}`.trim(), block, textOf(block['id'])))
    } else if (!QUIET.has(type) && !type.endsWith('_result')) {
      list.unread(unreadCall(type, block, { id: textOf(block['id']) }))
    }
  }
  return list.parts
}
