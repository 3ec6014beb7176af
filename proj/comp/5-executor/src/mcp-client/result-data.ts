import * as v from 'valibot'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { HermesError, unlessThrown } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'

/** Most attachments listed. */
const MOST_ATTACHMENTS = 100
/** Longest type, name or address of an attachment, in UTF-16 units. */
const MOST_TOLD = 500
/** Deepest nesting of data. */
const DEEPEST = 100

const attachment = v.looseObject({ type: v.string() })

/** Result of a verb that calls a tool. */
export const RESULT = v.strictObject({
  text: v.optional(v.pipe(v.string(), v.description('What the tool said.'))),
  structured: v.optional(v.pipe(v.unknown(), v.description('Its result as data.'))),
  attachments: v.optional(
    v.pipe(v.array(attachment), v.description('What else it returned, without the bytes of images and sounds.')),
  ),
})

export type ResultData = v.InferOutput<typeof RESULT>

/**
 * Converts a tool's result into what a model can use, within limits.
 *
 * @param verb name for messages
 * @param advise receives hints about what was left out
 * @throws HermesError `SERVER_FAILED` for data nested too deeply
 */
export function resultData(
  verb: string, { content, structuredContent }: CallToolResult, maxBytes: number, advise: (hint: string) => void,
): ResultData {
  if (isDeep(structuredContent)) {
    throw new HermesError('SERVER_FAILED', `${verb}: the server answered with data of more than ${DEEPEST} levels`, {
      hint: 'The tool did its work, but its answer cannot be used.',
    })
  }
  const structured = boundedData(structuredContent, maxBytes, advise)
  const whole = content.flatMap((part) => textOf(part)).join('\n')
  // The text repeats the data, for clients that do not read structured content.
  const isRepeated = structured !== undefined
    && unlessThrown(SyntaxError, () => JSON.stringify(JSON.parse(whole)) === JSON.stringify(structured), false)
  const text = isRepeated ? '' : clip(whole, maxBytes)
  if (text.length < whole.length && text !== '') {
    advise(`The text was longer than ${maxBytes} bytes: its end was left out.`)
  }
  const all = content.flatMap((part) => attachmentOf(part))
  const attachments = all.slice(0, MOST_ATTACHMENTS)
  if (all.length > attachments.length) advise(`Of ${all.length} attachments the first ${MOST_ATTACHMENTS} are told of.`)
  return {
    ...(text !== '' && { text }), ...(structured !== undefined && { structured }),
    ...(attachments.length > 0 && { attachments }),
  }
}

type Content = CallToolResult['content'][number]

function textOf(part: Content): string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'resource' && 'text' in part.resource ? [`${part.resource.uri}:\n${part.resource.text}`] : []
}

function attachmentOf(part: Content): v.InferOutput<typeof attachment>[] {
  switch (part.type) {
    case 'image':
    case 'audio': return [
      { type: part.type, mimeType: told(part.mimeType), bytes: Math.floor(part.data.length * 3 / 4) },
    ]
    case 'resource_link': return [{ type: 'resource_link', uri: told(part.uri), name: told(part.name) }]
    case 'resource': return 'blob' in part.resource ? [{ type: 'resource', uri: told(part.resource.uri) }] : []
    default: return []
  }
}

function told(text: string): string {
  return clip(text, MOST_TOLD)
}

/** Goes level by level: data may be nested deeper than the call stack allows. */
function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) as unknown[] : []))
  }
  return false
}

function boundedData(value: unknown, maxBytes: number, advise: (hint: string) => void): unknown {
  if (value === undefined) return undefined
  const { length } = JSON.stringify(value)
  if (length <= maxBytes) return value
  advise(`Its data was left out: ${length} characters, more than ${maxBytes}.`)
  return undefined
}
