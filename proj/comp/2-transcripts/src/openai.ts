import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { contentText, jsonOr, listOf, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { recordedResult } from './recorded-results.js'
import { chatParts } from './response/index.js'
import { TurnBuilder } from './turn-builder.js'

/**
 * Reads chat messages: `tool_calls` with arguments as a string, the older `function_call`, content as a string or list
 * of parts (`text`, `reasoning`, `tool_call`). A logged request may have the answer in `choices`.
 *
 * @param resultIn extracts the result of a call from a user's text, where there is one
 */
export function readOpenAi(
  record: unknown, resultIn: (text: string) => string | undefined = () => undefined,
): Conversation {
  const builder = new TurnBuilder()
  for (const { message, path, index } of chatMessages(record)) {
    const role = isRecord(message) ? textOf(message['role']) : undefined
    if (!isRecord(message) || role === undefined) throw invalidTranscript(`Message ${index} has no 'role'`)
    const content = message['content']
    if (role === 'system' || role === 'developer') builder.say('system', contentText(content))
    else if (role === 'user') user(builder, contentText(content), contentPath(content, path), resultIn)
    else if (role === 'assistant') {
      builder.begin()
      builder.parts(chatParts(message))
    } else if (role === 'tool' || role === 'function' || role === 'observation') results(builder, message, path)
    else throw invalidTranscript(
      `Message ${index} has the role '${role.slice(0, 40)}'`, 'Known are system, user, assistant and tool.',
    )
  }
  return { turns: builder.end(), tools: isRecord(record) ? record['tools'] ?? record['functions'] : undefined }
}

function user(
  builder: TurnBuilder, text: string, path: readonly (string | number)[],
  resultIn: (text: string) => string | undefined,
): void {
  const result = resultIn(text)
  if (result === undefined) builder.say('user', text, path)
  else builder.result(recordedResult(result))
}

interface PlacedMessage {
  message: unknown
  path: readonly (string | number)[]
  /** 1-based. */
  index: number
}

/** The messages of a record, in any of its possible fields. */
export function chatMessages(record: unknown): PlacedMessage[] {
  const key = isRecord(record) ? ['messages', 'conversations'].find((name) => Array.isArray(record[name])) : undefined
  if (key === undefined && !Array.isArray(record)) throw invalidTranscript("There is no list 'messages'")
  const messages = listOf(isRecord(record) && key !== undefined ? record[key] : record).map((message, index) => ({
    message, path: key === undefined ? [index] : [key, index], index: index + 1,
  } as PlacedMessage))
  const choice = isRecord(record) ? listOf(record['choices'])[0] : undefined
  if (isRecord(choice) && isRecord(choice['message'])) {
    messages.push({ message: choice['message'], path: ['choices', 0, 'message'], index: messages.length + 1 })
  }
  return messages
}

/** Path of a content's text, for rewriting it. */
export function contentPath(content: unknown, path: readonly (string | number)[]): (string | number)[] {
  if (!Array.isArray(content)) return [...path, 'content']
  const part: unknown = content[0]
  return [...path, 'content', 0, isRecord(part) && 'value' in part ? 'value' : 'text']
}

/** A message may contain the results of several calls, as a JSON list. */
function results(builder: TurnBuilder, message: Record<string, unknown>, path: readonly (string | number)[]): void {
  const content = message['content']
  const callId = textOf(message['tool_call_id']) ?? textOf(listOf(message['tool_call_ids'])[0])
  const text = contentText(content)
  const several = callId === undefined ? jsonOr(text) : undefined
  if (Array.isArray(several) && several.length > 0 && several.every((one) => isRecord(one) && 'tool_call_id' in one)) {
    for (const part of several as Record<string, unknown>[]) {
      builder.result(recordedResult(part['content'], { callId: textOf(part['tool_call_id']) }))
    }
    return
  }
  builder.result(recordedResult(text, { callId, place: { path: contentPath(content, path) } }))
}
