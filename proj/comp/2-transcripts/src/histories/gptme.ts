import { isRecord } from '../../../0-contracts/src/index.js'
import { contentText } from '../fields.js'
import { readOpenAi } from '../openai.js'
import type { Conversation } from '../transcript-model.js'

/** True for the log of a conversation with gptme: its messages have times, and the first of them says who it is. */
export function isGptmeHistory(messages: readonly unknown[]): boolean {
  const [first] = messages
  return isRecord(first) && first['role'] === 'system' && typeof first['timestamp'] === 'string'
    && /\bgptme\b/i.test(contentText(first['content']))
}

/**
 * The log that gptme keeps (`conversation.jsonl`). What tools answered stands in it as messages of the system, in words
 * that say neither whose answer it is nor whether it failed: none is taken for a result. Source: gptme, `message.py`.
 */
export function readGptme(record: unknown): Conversation {
  return { ...readOpenAi(record), settings: { editFormats: ['gptme'], mapping: 'gptme' } }
}
