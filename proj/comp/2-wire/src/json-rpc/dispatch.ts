import { nearest } from '../../../0-text/src/index.js'
import { RPC } from './rpc-codes.js'
import type { CallContext, Methods } from './rpc-messages.js'
import { RpcError } from './rpc-error.js'

/** Runs the handler of a request. @throws RpcError `methodNotFound`, and what the handler throws */
export async function dispatch(
  { requests }: Methods, method: string, params: unknown, context: CallContext,
): Promise<unknown> {
  const handler = Object.hasOwn(requests, method) ? requests[method] : undefined
  if (handler) return handler(params, context)
  const meant = nearest(method, Object.keys(requests))
  const hint = meant === undefined ? `Methods: ${Object.keys(requests).join(', ')}.` : `Did you mean ${meant}?`
  throw new RpcError(RPC.methodNotFound, `Unknown method: ${method}`, { hint })
}
