import { HermesError } from '../../../0-contracts/src/index.js'
import { RPC } from './rpc-codes.js'

/** An error as sent over the wire. Handlers throw it; `request` rejects with it. */
export class RpcError extends Error {
  constructor(readonly code: number, message: string, readonly data?: unknown) {
    super(message)
    this.name = 'RpcError'
  }
}

/** The `error` member of an answer. */
export interface WireError {
  code: number
  message: string
  data?: unknown
}

/** Converts an error for the other side: those of hermes with code and hint, others to one line; never with a stack. */
export function wireError(error: unknown): WireError {
  if (error instanceof RpcError) {
    return { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) }
  }
  if (error instanceof HermesError) {
    const { code, message, hint, data } = error
    return {
      code: CODES.get(code) ?? RPC.requestFailed, message,
      data: { code, ...(hint !== undefined && { hint }), ...(data !== undefined && { data }) },
    }
  }
  if (error instanceof Error && error.name === 'AbortError') return { code: RPC.requestCancelled, message: 'Cancelled' }
  return {
    code: RPC.internalError, message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
  }
}

const CODES = new Map<string, number>([['INVALID_OPTION', RPC.invalidParams], ['CANCELLED', RPC.requestCancelled]])
