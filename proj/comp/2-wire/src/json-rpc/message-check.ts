import { isRecord } from '../../../0-contracts/src/index.js'
import { RPC } from './rpc-codes.js'
import type { MessageId } from './rpc-messages.js'
import type { WireError } from './rpc-error.js'

export interface IncomingRequest { kind: 'request'; id: MessageId; method: string; params: unknown }
export interface IncomingNotification { kind: 'notification'; method: string; params: unknown }
/** `error` is also set for an answer with a malformed error, so that nobody waits in vain. */
export interface IncomingAnswer { kind: 'answer'; id: MessageId | null; result?: unknown; error?: WireError }
/** JSON that is no valid message, and the error to answer. */
export interface InvalidMessage { kind: 'invalid'; id: MessageId | null; error: WireError }

export type IncomingMessage = IncomingRequest | IncomingNotification | IncomingAnswer | InvalidMessage

/** Classifies a value by JSON-RPC 2.0, sections 4 and 5. */
export function checkMessage(value: unknown): IncomingMessage {
  if (!isRecord(value) || Array.isArray(value)) return invalid(null, 'A message must be an object')
  const id = isId(value['id']) ? value['id'] : null
  if (value['jsonrpc'] !== '2.0') return invalid(id, 'A message must have "jsonrpc": "2.0"')
  const { method } = value
  // Many clients send null for no params.
  const params = value['params'] ?? undefined
  if (method === undefined && id !== null && ('result' in value || 'error' in value)) return answer(id, value)
  if (method === undefined && value['id'] === null && 'error' in value) return answer(null, value)
  if (typeof method !== 'string') return invalid(id, 'The method must be a string')
  if (params !== undefined && typeof params !== 'object') return invalid(id, 'The params must be an object or a list')
  if (value['id'] === undefined) return { kind: 'notification', method, params }
  if (id === null) return invalid(null, 'The id must be a number or a string')
  return { kind: 'request', id, method, params }
}

export function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || typeof value === 'number'
}

function answer(id: MessageId | null, { result, error }: Record<string, unknown>): IncomingAnswer {
  if (error === undefined || error === null) return { kind: 'answer', id, result }
  if (isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string') {
    return {
      kind: 'answer', id, error: { code: Number(error['code']), message: error['message'], data: error['data'] },
    }
  }
  return {
    kind: 'answer', id, error: { code: RPC.internalError, message: 'The answer is an error without code and message' },
  }
}

function invalid(id: MessageId | null, message: string): InvalidMessage {
  return { kind: 'invalid', id, error: { code: RPC.invalidRequest, message } }
}
