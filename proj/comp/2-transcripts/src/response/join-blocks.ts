import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { textOf } from '../fields.js'
import { anthropicParts } from './anthropic-parts.js'
import { bedrockParts } from './bedrock-parts.js'
import type { Joined } from './joined.js'
import { withoutLastCall } from './parts.js'

interface BlockPieces {
  block: Record<string, unknown>
  isDone: boolean
  text: string
  thought: string
  /** Arguments as JSON text. */
  input: string
}

/** Stop reasons after which the last call may be incomplete, although its block is closed. */
export const ANTHROPIC_CUT = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal'])
export const BEDROCK_CUT = new Set([
  'max_tokens', 'model_context_window_exceeded', 'guardrail_intervened', 'content_filtered',
])

/**
 * Joins the events of an Anthropic message: blocks begin, grow and stop by `index`. Source: Anthropic's documentation,
 * 'Streaming messages'.
 */
export function joinAnthropic(events: readonly Record<string, unknown>[]): Joined {
  const blocks = new Map<unknown, BlockPieces>()
  let stop = ''
  for (const event of events) {
    const { type, index, content_block: block, delta } = event
    if (type === 'message_delta' && isRecord(delta)) stop = textOf(delta['stop_reason']) ?? stop
    if (index === undefined) continue
    const held = valueAt(blocks, index, emptyBlock)
    if (isRecord(block)) held.block = block
    if (type === 'content_block_stop') held.isDone = true
    if (!isRecord(delta)) continue
    held.text += textOf(delta['text']) ?? ''
    held.thought += textOf(delta['thinking']) ?? ''
    held.input += textOf(delta['partial_json']) ?? ''
  }
  const contentOf = ({ block, text, thought, input }: BlockPieces): Record<string, unknown> => ({
    ...block,
    ...(block['type'] === 'text' && { text: `${textOf(block['text']) ?? ''}${text}` }),
    ...(block['type'] === 'thinking' && { thinking: `${textOf(block['thinking']) ?? ''}${thought}` }),
    ...(input !== '' && { input }),
  })
  return joined([...blocks.values()], stop, ANTHROPIC_CUT, (held) => anthropicParts(held.map(contentOf)))
}

/**
 * Joins the events of Converse, one object each, as the SDKs give them. Source: Amazon Bedrock API reference,
 * `ConverseStreamOutput`.
 */
export function joinBedrock(events: readonly Record<string, unknown>[]): Joined {
  const blocks = new Map<unknown, BlockPieces>()
  let stop = ''
  for (const event of events) {
    const [kind = '', body] = Object.entries(event)[0] ?? []
    if (!isRecord(body)) continue
    if (kind === 'messageStop') stop = textOf(body['stopReason']) ?? stop
    const { contentBlockIndex: index, start, delta } = body
    if (index === undefined) continue
    const held = valueAt(blocks, index, emptyBlock)
    if (isRecord(start)) held.block = start
    if (kind === 'contentBlockStop') held.isDone = true
    if (!isRecord(delta)) continue
    const { toolUse, reasoningContent } = delta
    held.text += textOf(delta['text']) ?? ''
    if (isRecord(toolUse)) held.input += textOf(toolUse['input']) ?? ''
    if (isRecord(reasoningContent)) held.thought += textOf(reasoningContent['text']) ?? ''
  }
  const contentOf = ({ block, text, thought, input }: BlockPieces): Record<string, unknown> => {
    const { toolUse } = block
    if (isRecord(toolUse)) return { toolUse: { ...toolUse, ...(input !== '' && { input }) } }
    return thought === '' ? { ...block, text } : { reasoningContent: { reasoningText: { text: thought } } }
  }
  return joined([...blocks.values()], stop, BEDROCK_CUT, (held) => bedrockParts(held.map(contentOf)))
}

function emptyBlock(): BlockPieces {
  return { block: {}, isDone: false, text: '', thought: '', input: '' }
}

/** A block without stop event is the last one. */
function joined(
  blocks: readonly BlockPieces[], stop: string, cut: ReadonlySet<string>,
  partsOf: (blocks: readonly BlockPieces[]) => ResponsePart[],
): Joined {
  const done = partsOf(blocks.filter(({ isDone }) => isDone))
  const open = blocks.filter(({ isDone }) => !isDone).flatMap((block) => withoutLastCall(partsOf([block])))
  const parts = [...done, ...open]
  return { parts: cut.has(stop) ? withoutLastCall(parts) : parts, isEnded: stop !== '' }
}
