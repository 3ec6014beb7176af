import { CancellationTokenSource, ConnectionError, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node'
import { RPC } from './rpc-codes.js'
import type { RequestOptions } from './rpc-messages.js'
import { RpcError } from './rpc-error.js'

/** Sends a request. On cancellation it rejects without waiting, and tells the other side if that is still `there`. */
export function sendRequest(
  rpc: MessageConnection, there: () => boolean, method: string, params: object | undefined,
  { signal, timeoutMs }: RequestOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled(`${method} was cancelled`))
    const source = new CancellationTokenSource()
    const giveUp = (message: string): void => {
      settle()
      reject(cancelled(message))
      if (there()) source.cancel()
    }
    const onAbort = (): void => giveUp(`${method} was cancelled`)
    const timer = timeoutMs === undefined
      ? undefined : setTimeout(() => giveUp(`${method} was not answered within ${timeoutMs / 1000} s`), timeoutMs)
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    sent(rpc, method, params, source)
      .then(resolve, (error: unknown) => reject(asRpcError(error, method)))
      .finally(settle)
      .catch(reject)
  })
}

async function sent(
  rpc: MessageConnection, method: string, params: object | undefined, source: CancellationTokenSource,
): Promise<unknown> {
  // The library takes the last argument for the token.
  return params === undefined ? rpc.sendRequest(method, source.token) : rpc.sendRequest(method, params, source.token)
}

function asRpcError(error: unknown, method: string): RpcError {
  if (error instanceof ResponseError && !LIBRARY_CODES.has(error.code)) {
    return new RpcError(error.code, error.message, error.data)
  }
  if (error instanceof ResponseError || error instanceof ConnectionError) {
    return cancelled(`The connection ended before ${method} was answered`)
  }
  return new RpcError(RPC.internalError, error instanceof Error ? error.message : String(error))
}

/** Codes of `vscode-jsonrpc` itself: PendingResponseRejected, ConnectionInactive. */
const LIBRARY_CODES = new Set([-32097, -32098])

function cancelled(message: string): RpcError {
  return new RpcError(RPC.requestCancelled, message)
}
