import { RunQueue, type ExecutorOptions } from '../../5-executor/src/index.js'
import type { ListenAddress } from '../../2-wire/src/index.js'
import { Desk } from './desk.js'
import { loadSdk } from './load-server-sdk.js'
import { serveOverHttp } from './mcp-over-http.js'
import { serveOverStdio } from './mcp-over-stdio.js'
import type { ReplyBounds } from './tool-result.js'

export interface McpServerOptions {
  /** Of the sessions. */
  options: ExecutorOptions & { root: string }
  /** Of hermes; clients are told. */
  version: string
  /** Approvals are given, and what can be taken back is confirmed, without asking. */
  yes: boolean
  /** How much models are told. */
  reply?: ReplyBounds | undefined
  /** Over HTTP instead of standard input and output. */
  http?: { address: ListenAddress; token: string; onListening: (url: string) => void } | undefined
  /** Ends the server; what runs is cancelled and put on record. */
  signal: AbortSignal
  /** Told what goes wrong outside of any call. */
  onerror: (error: Error) => void
}

/**
 * Serves the verbs of the registry as tools of the Model Context Protocol, until the client leaves or the signal comes.
 *
 * @throws HermesError `INVALID_OPTION`; Node's codes where it cannot listen
 */
export async function serveMcp(
  { options, version, yes, reply = {}, http, signal, onerror }: McpServerOptions,
): Promise<void> {
  const queue = new RunQueue()
  const createDesk = (): Desk => new Desk(options, queue)
  // Requests of the newest protocol stand for themselves over HTTP.
  const desk = new Desk(options, queue, http !== undefined)
  const sdk = await loadSdk()
  const parts = { sdk, desk, version, root: options.root, yes, reply }
  if (http) await serveOverHttp({ ...parts, ...http, createDesk }, signal, onerror)
  else await serveOverStdio(parts, signal, onerror)
}
export { givenToken } from './given-token.js'
