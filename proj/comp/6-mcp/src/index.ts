import { RunQueue, type ExecutorOptions } from '../../5-executor/src/index.js'
import type { ListenAddress } from '../../2-wire/src/index.js'
import { ConnectionState } from './connection-state.js'
import { loadSdk } from './load-server-sdk.js'
import { serveOverHttp } from './mcp-over-http.js'
import { serveOverStdio } from './mcp-over-stdio.js'
import type { ReplyBounds } from './tool-result.js'

export interface McpServerOptions {
  /** Options of the sessions. */
  options: ExecutorOptions & { root: string }
  /** Version of hermes, which clients are told. */
  version: string
  /** Whether to approve, and to confirm reversible actions, without asking. */
  yes: boolean
  /** Limits of replies. */
  reply?: ReplyBounds | undefined
  /** Serve over HTTP instead of standard input and output. */
  http?: { address: ListenAddress; token: string; onListening: (url: string) => void } | undefined
  /** Ends the server; running calls are cancelled and recorded. */
  signal: AbortSignal
  /** Called with errors outside of any call. */
  onerror: (error: Error) => void
}

/**
 * Serves the registry's verbs as tools of the Model Context Protocol, until the client leaves or the signal is aborted.
 *
 * @throws HermesError `INVALID_OPTION`; Node's codes where it cannot listen
 */
export async function serveMcp(
  { options, version, yes, reply = {}, http, signal, onerror }: McpServerOptions,
): Promise<void> {
  const queue = new RunQueue()
  const createConnection = (): ConnectionState => new ConnectionState(options, queue)
  // Requests of the newest protocol stand for themselves over HTTP.
  const connection = new ConnectionState(options, queue, http !== undefined)
  const sdk = await loadSdk()
  const parts = { sdk, connection, version, root: options.root, yes, reply }
  if (http) await serveOverHttp({ ...parts, ...http, createConnection }, signal, onerror)
  else await serveOverStdio(parts, signal, onerror)
}
export { givenToken } from './given-token.js'
