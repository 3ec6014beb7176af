import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, textOf } from '../fields.js'
import { chatParts } from './chat-parts.js'
import { geminiParts } from './gemini-parts.js'
import type { Joined } from './joined.js'
import { unreadCall, withoutLastCall } from './parts.js'

/** Finish reasons after which the last call may be incomplete. */
export const GEMINI_CUT = new Set(['MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'OTHER'])

/** Joins Gemini's chunks, each with new parts. Source: Gemini API reference, `streamGenerateContent`. */
export function joinGemini(chunks: readonly Record<string, unknown>[]): Joined {
  let finish = ''
  let last: Record<string, unknown> = {}
  const parts: unknown[] = []
  for (const chunk of chunks) {
    const [candidate] = listOf(chunk['candidates'])
    if (!isRecord(candidate)) continue
    if (finishOf(candidate) !== undefined) last = candidate
    finish = finishOf(candidate) ?? finish
    if (isRecord(candidate['content'])) parts.push(...listOf(candidate['content']['parts']))
  }
  const read = geminiParts({ parts })
  const whole = GEMINI_CUT.has(finish) ? withoutLastCall(read) : read
  return { parts: withUnreadCall(last, whole), isEnded: finish !== '' }
}

/** Finish reason of a Gemini candidate. */
export function finishOf(candidate: Record<string, unknown>): string | undefined {
  return textOf(candidate['finishReason'] ?? candidate['finish_reason'])
}

/** Finish reasons after which the service withheld an unreadable call; only its message tells which. */
const GEMINI_UNREAD = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])

export function withUnreadCall(candidate: Record<string, unknown>, parts: readonly ResponsePart[]): ResponsePart[] {
  const reason = finishOf(candidate) ?? ''
  if (!GEMINI_UNREAD.has(reason)) return [...parts]
  const message = textOf(candidate['finishMessage'] ?? candidate['finish_message']) ?? reason
  const why = `The service could not read a call of the model, and left it out: ${message}`
  return [...parts, unreadCall(reason, candidate, { why })]
}

/**
 * Joins the lines of Ollama's `/api/chat` and `/api/generate`: each has new text, and complete calls. Source: Ollama's
 * documentation, `docs/api.md`.
 */
export function joinOllama(lines: readonly Record<string, unknown>[]): Joined {
  let [content, thinking, isEnded, reason] = ['', '', false, '']
  const calls: unknown[] = []
  for (const line of lines) {
    const message = isRecord(line['message']) ? line['message'] : {}
    content += textOf(message['content'] ?? line['response']) ?? ''
    thinking += textOf(message['thinking'] ?? line['thinking']) ?? ''
    calls.push(...listOf(message['tool_calls']))
    if (line['done'] === true) isEnded = true
    reason = textOf(line['done_reason']) ?? reason
  }
  const parts = chatParts({ content, reasoning_content: thinking, tool_calls: calls })
  return { parts: reason === 'length' ? withoutLastCall(parts) : parts, isEnded }
}
