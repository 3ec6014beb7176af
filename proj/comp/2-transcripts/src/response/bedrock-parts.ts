import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, textOf } from '../fields.js'
import { malformedCall, PartList, serviceCall, unreadCall } from './parts.js'

const QUIET = new Set([
  'image', 'document', 'video', 'audio', 'cachePoint', 'guardContent', 'searchResult', 'toolResult',
])

/**
 * The content of a message in Amazon Bedrock's Converse: each block has one key that says what it is. Source: Amazon
 * Bedrock API reference, `ContentBlock` and `ToolUseBlock`.
 */
export function bedrockParts(content: unknown): ResponsePart[] {
  const list = new PartList()
  for (const block of listOf(content)) {
    const [kind, value] = isRecord(block) ? Object.entries(block).find(([, held]) => held !== null) ?? [] : []
    if (kind === undefined) list.unread(malformedCall('content block', block))
    else if (kind === 'text') list.text(textOf(value))
    else if (kind === 'citationsContent' && isRecord(value)) {
      for (const cited of listOf(value['content'])) if (isRecord(cited)) list.text(textOf(cited['text']))
    } else if (kind === 'reasoningContent') list.thought(reasoning(value))
    else if (kind === 'toolUse') toolUse(list, value)
    else if (!QUIET.has(kind)) list.unread(unreadCall(kind, block))
  }
  return list.parts
}

function reasoning(value: unknown): string | undefined {
  const inner = isRecord(value) ? value['reasoningText'] : undefined
  return isRecord(inner) ? textOf(inner['text']) : undefined
}

function toolUse(list: PartList, value: unknown): void {
  const { name, toolUseId, type, input } = isRecord(value) ? value : {}
  if (type === 'server_tool_use' && textOf(name)) list.unread(serviceCall(textOf(name) ?? '', value, textOf(toolUseId)))
  else list.call('toolUse', value, name, input, textOf(toolUseId))
}
