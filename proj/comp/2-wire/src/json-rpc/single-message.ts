import { isUtf8 } from 'node:buffer'
import { RPC } from './rpc-codes.js'
import { parseMessage } from './exact-ids.js'
import { dispatch } from './dispatch.js'
import { checkMessage, type IncomingMessage, type IncomingRequest } from './message-check.js'
import type { CallContext, MessageId, Methods } from './rpc-messages.js'
import { wireError, type WireError } from './rpc-error.js'

/** What is answered to a request. */
export type AnswerMessage = { jsonrpc: '2.0'; id: MessageId | null } & ({ result: unknown } | { error: WireError })

/** Reads one message where the transport itself frames it, as HTTP does; batches are refused. */
export function readMessage(body: Buffer): IncomingMessage {
  if (!isUtf8(body)) return unreadable(RPC.parseError, 'The message is no UTF-8')
  try {
    const value = parseMessage(body.toString('utf8'))
    if (Array.isArray(value)) return unreadable(RPC.invalidRequest, 'One message at a time: no batches here')
    return checkMessage(value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return unreadable(RPC.parseError, `The message is no JSON: ${error.message}`)
  }
}

/** Runs a request to its answer. Never rejects. */
export async function answerMessage(
  { id, method, params }: IncomingRequest, methods: Methods, context: Omit<CallContext, 'id'>,
): Promise<AnswerMessage> {
  try {
    const result = await dispatch(methods, method, params, { ...context, id })
    return { jsonrpc: '2.0', id, result: result ?? null }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: wireError(error) }
  }
}

function unreadable(code: number, message: string): IncomingMessage {
  return { kind: 'invalid', id: null, error: { code, message } }
}
