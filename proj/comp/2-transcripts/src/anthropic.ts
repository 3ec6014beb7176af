import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { contentText, listOf, partType, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { chatMessages } from './openai.js'
import { recordedResult } from './recorded-results.js'
import { anthropicParts } from './response/index.js'
import { TurnBuilder } from './turn-builder.js'

type SayUser = (builder: TurnBuilder, content: unknown, path: readonly (string | number)[]) => void

function sayText(...[builder, content, path]: Parameters<SayUser>): void {
  const text = contentText(content)
  if (text !== '') builder.say('user', text, path)
}

/**
 * Reads Anthropic's messages with blocks `text`, `thinking`, `tool_use` and `tool_result`; also lines of a Claude Code
 * session.
 *
 * @param say adds the user's content, without result blocks
 */
export function readAnthropic(record: unknown, say: SayUser = sayText): Conversation {
  const builder = new TurnBuilder()
  if (isRecord(record) && record['system'] !== undefined) builder.say('system', contentText(record['system']))
  let lastId: unknown
  for (const { message, path, index } of chatMessages(record)) {
    if (!isRecord(message)) throw invalidTranscript(`Message ${index} is no object`)
    const { role, content } = message
    if (role === 'assistant') {
      // A session's log may spread the blocks of one message over several lines.
      if (message['id'] === undefined || message['id'] !== lastId) builder.begin()
      lastId = message['id']
      builder.parts(anthropicParts(content))
    } else if (role === 'user') user(builder, content, path, say)
    else if (role === 'system') builder.say('system', contentText(content))
    else throw invalidTranscript(`Message ${index} is neither of the user nor of the assistant`)
  }
  return { turns: builder.end(), tools: isRecord(record) ? record['tools'] : undefined }
}

function user(builder: TurnBuilder, content: unknown, path: readonly (string | number)[], say: SayUser): void {
  const others: unknown[] = []
  for (const [index, block] of listOf(content).entries()) {
    if (!isRecord(block) || partType(block) !== 'tool_result') {
      others.push(block)
      continue
    }
    const inner = block['content']
    builder.result(recordedResult(Array.isArray(inner) ? contentText(inner) : inner, {
      callId: textOf(block['tool_use_id']),
      isError: typeof block['is_error'] === 'boolean' ? block['is_error'] : undefined,
      place: { path: [...path, 'content', index, 'content'] },
    }))
  }
  say(
    builder, typeof content === 'string' ? content : others,
    Array.isArray(content) ? [...path, 'content', 0, 'text'] : [...path, 'content'],
  )
}
