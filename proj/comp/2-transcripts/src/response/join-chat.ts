import { isRecord } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { asText, contentText, listOf, textOf } from '../fields.js'
import { chatParts } from './chat-parts.js'
import type { Joined } from './joined.js'
import { withoutLastCall } from './parts.js'

interface CallPieces {
  id?: string | undefined
  type?: string | undefined
  name: string
  text: string
}

/** Finish reasons after which the last call may be incomplete. */
export const CHAT_CUT = new Set(['length', 'content_filter'])

/**
 * Joins the chunks of a chat completion: content and arguments of calls come in pieces, identified by `index`. Source:
 * openai-node 6, `resources/chat/completions` (`ChatCompletionChunk`).
 */
export function joinChat(chunks: readonly Record<string, unknown>[]): Joined {
  let [content, reasoning, finish] = ['', '', '']
  const calls = new Map<unknown, CallPieces>()
  let lastKey: unknown
  for (const chunk of chunks) {
    const [choice] = listOf(chunk['choices'])
    if (!isRecord(choice)) continue
    finish = textOf(choice['finish_reason']) ?? finish
    const delta = isRecord(choice['delta']) ? choice['delta'] : {}
    content += contentText(delta['content'])
    reasoning += asText(delta['reasoning_content'] ?? delta['reasoning'])
    const older = isRecord(delta['function_call']) ? [{ index: 0, function: delta['function_call'] }] : []
    for (const piece of [...listOf(delta['tool_calls']), ...older]) {
      if (!isRecord(piece)) continue
      // Servers that omit the index send a call at once, or its pieces behind its id.
      lastKey = piece['index'] ?? textOf(piece['id']) ?? lastKey
      addPiece(valueAt(calls, lastKey, () => ({ name: '', text: '' })), piece)
    }
  }
  const parts = chatParts({ content, reasoning_content: reasoning, tool_calls: [...calls.values()].map(callOf) })
  return { parts: finish === '' || CHAT_CUT.has(finish) ? withoutLastCall(parts) : parts, isEnded: finish !== '' }
}

function addPiece(call: CallPieces, piece: Record<string, unknown>): void {
  call.id ??= textOf(piece['id'])
  call.type ??= textOf(piece['type'])
  const body = piece['function'] ?? piece['custom']
  if (isRecord(piece['custom'])) call.type = 'custom'
  if (!isRecord(body)) return
  call.name += textOf(body['name']) ?? ''
  call.text += asText(body['arguments'] ?? body['input'])
}

function callOf({ id, type, name, text }: CallPieces): Record<string, unknown> {
  return type === 'custom' ? { id, type, custom: { name, input: text } }
    : { id, type, function: { name, arguments: text } }
}
