import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, textOf } from '../fields.js'
import { malformedCall, PartList, serviceCall, unreadCall } from './parts.js'

/** Fields of a part that ask for nothing; Python's dumps use underscores. */
const QUIET = new Set([
  'thought', 'thoughtSignature', 'thought_signature', 'inlineData', 'inline_data', 'fileData', 'file_data',
  'codeExecutionResult', 'code_execution_result', 'videoMetadata', 'video_metadata', 'partMetadata', 'toolResponse',
])

/**
 * Reads the parts of a Gemini content. A function call in pieces that was not completed never runs. Source: Gemini API
 * reference, `Content.Part` and `FunctionCall` (also `partialArgs`, `willContinue`).
 */
export function geminiParts(content: unknown): ResponsePart[] {
  const list = new PartList()
  for (const part of isRecord(content) ? listOf(content['parts']) : []) {
    if (!isRecord(part)) list.unread(malformedCall('part', part))
    else if (typeof part['text'] === 'string') {
      if (part['thought'] === true) list.thought(part['text'])
      else list.text(part['text'])
    } else addPart(list, part)
  }
  return list.parts
}

function addPart(list: PartList, part: Record<string, unknown>): void {
  const call = part['functionCall'] ?? part['function_call']
  const code = part['executableCode'] ?? part['executable_code']
  if (call !== undefined && call !== null) functionCall(list, call)
  else if (code !== undefined && code !== null) list.unread(serviceCall('executableCode', code))
  else {
    const kind = Object.keys(part).find((key) => !QUIET.has(key) && part[key] !== null && part[key] !== undefined)
    if (kind !== undefined) list.unread(unreadCall(kind, part))
  }
}

function functionCall(list: PartList, call: unknown): void {
  const { name: named, id, args, partialArgs, willContinue } = isRecord(call) ? call : {}
  const name = textOf(named)
  if (name && (listOf(partialArgs).length > 0 || willContinue === true)) {
    list.unread({
      ...unreadCall(name, call, { id: textOf(id), why: `The arguments of ${name} came in pieces (partialArgs)` }),
      hint: 'Ask for the response without streamFunctionCallArguments.',
    })
  } else list.call('functionCall', call, name, args, name ? textOf(id) : undefined)
}
