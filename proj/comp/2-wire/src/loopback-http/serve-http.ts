import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

export interface HttpOptions {
  host: string
  /** 0: any free one. */
  port: number
  /** Time for a request to arrive, head and body, in milliseconds. Default 30,000. */
  receiveTimeoutMs?: number | undefined
  /** Most open connections. Default 1,024. */
  maxConnections?: number | undefined
  /** Pass on HTTP/1.1 requests without Host. Default: they are answered with 400. */
  withoutHost?: boolean
  /** @param port the actual port. Errors it throws or rejects with end the process, so it must catch all */
  handle: (request: IncomingMessage, response: ServerResponse, port: number) => void | Promise<void>
}

export interface HttpServer {
  /** `http://127.0.0.1:8765`, with the actual port. */
  url: string
  port: number
  /** Takes no new connections; requests on existing ones are still handled. */
  stopListening(): void
  /** Closes all connections. */
  close(): Promise<void>
}

const RECEIVE_MS = 30_000
const MOST_CONNECTIONS = 1024
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Serves HTTP/1.1 with the limits common to all servers of hermes. `handle` decides who may ask.
 *
 * @throws HermesError `EADDRINUSE` and the like where it cannot listen
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host, receiveTimeoutMs = RECEIVE_MS, maxConnections = MOST_CONNECTIONS, withoutHost = false } = options
  const server = createServer({
    // Bounds the time that a client which sends a byte now and then can hold a connection.
    headersTimeout: receiveTimeoutMs, requestTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, receiveTimeoutMs / 4)), maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: !withoutHost,
  })
  server.maxConnections = maxConnections
  let { port } = options
  server.on('request', (request, response) => {
    // A client that disconnects during the response is no failure of the server.
    response.on('error', () => undefined)
    void options.handle(request, response, port)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, options)))
    server.listen(port, host, resolve)
  })
  port = (server.address() as AddressInfo).port
  let closed: Promise<void> | undefined
  const stopListening = (): void => {
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    stopListening,
    async close() {
      stopListening()
      server.closeAllConnections()
      await closed
    },
  }
}

function cannotListen(error: Error, { host, port }: HttpOptions): Error {
  if (!isNodeError(error)) return error
  return new HermesError(error.code, `Cannot listen on ${host}:${port} (${error.code})`, {
    hint: error.code === 'EADDRINUSE' ? 'Another program listens there: give another port, or 0 for any free one.'
      : 'Give another port, e.g. 0 for any free one.',
    cause: error,
  })
}
