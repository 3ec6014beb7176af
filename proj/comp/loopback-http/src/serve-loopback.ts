import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HermesError, isNodeError, orNothing } from '../../contracts/src/index.js'
import { refusalOf } from './admission.js'
import type { ListenAddress } from './listen-address.js'
import { readBody } from './read-body.js'
import { refuse } from './refuse.js'

/** A request that was admitted. */
export interface LoopbackCall {
  request: IncomingMessage
  response: ServerResponse
  /** Absolute. */
  url: URL
  /** Empty where there is none. */
  body: Buffer
  /** Aborted when the client has gone before the response was whole. */
  signal: AbortSignal
}

export interface LoopbackOptions {
  address: ListenAddress
  /** What every request has to send as `Authorization: Bearer …`. */
  token: string
  /** Larger bodies are answered 413. */
  maxBodyBytes: number
  /** How long a request may take to arrive, head and body, in milliseconds. Default 30,000. */
  receiveTimeoutMs?: number
  /** Default 1,024. */
  maxConnections?: number
  /**
   * What is answered without the token: a page that holds nothing of the user's, and sends the token itself. Host and
   * Origin are checked all the same. Default: nothing.
   */
  isOpen?: (request: IncomingMessage) => boolean
  /** Answers; where it throws or rejects the answer is 500, without a word of why. */
  handle: (call: LoopbackCall) => void | Promise<void>
}

export interface LoopbackServer {
  /** `http://127.0.0.1:8765`, with the port that was found. */
  url: string
  port: number
  /** Ends all connections. */
  close(): Promise<void>
}

const RECEIVE_MS = 30_000
const MOST_CONNECTIONS = 1024
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Serves HTTP/1.1 to this machine alone. A request is handed on when its Host and Origin are those of this server, its
 * token is right, and its body has come whole and is not too large.
 *
 * @throws HermesError `EADDRINUSE` and the like where it cannot listen
 */
export async function serveLoopback(options: LoopbackOptions): Promise<LoopbackServer> {
  const { address, receiveTimeoutMs = RECEIVE_MS, maxConnections = MOST_CONNECTIONS } = options
  const server = createServer({
    // A client that sends a byte now and then holds a connection no longer than this.
    headersTimeout: receiveTimeoutMs, requestTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, receiveTimeoutMs / 4)), maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  })
  server.maxConnections = maxConnections
  let port = address.port
  server.on('request', (request, response) => {
    void answer(request, response, port, options)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, address)))
    server.listen(address.port, address.host, resolve)
  })
  port = (server.address() as AddressInfo).port
  return {
    url: `http://${address.host === '::1' ? '[::1]' : address.host}:${port}`,
    port,
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

async function answer(
  request: IncomingMessage, response: ServerResponse, port: number,
  { token, maxBodyBytes, isOpen, handle }: LoopbackOptions,
): Promise<void> {
  // A client that leaves while it is written to is no failure of the server.
  response.on('error', () => undefined)
  const refusal = refusalOf(request, port, isOpen?.(request) === true ? undefined : token)
  if (refusal) {
    refuse(response, refusal)
    return
  }
  try {
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) {
      refuse(response, { status: 413, code: 'BODY_TOO_LARGE', message: `A body has at most ${maxBodyBytes} bytes` })
      return
    }
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    const url = urlOf(request)
    if (!url) {
      refuse(response, { status: 404, code: 'NOT_FOUND', message: 'The path is no path' })
      return
    }
    await handle({ request, response, url, body, signal: gone.signal })
  } catch {
    // Whatever it was: nothing of the inside is told, and the next request is served.
    refuse(response, { status: 500, code: 'INTERNAL', message: 'The request could not be served' })
  }
}

/** A path that begins with two slashes names no host. */
function urlOf({ url = '/', headers }: IncomingMessage): URL | undefined {
  const base = `http://${headers.host ?? 'localhost'}`
  return orNothing(() => new URL(url.startsWith('/') ? base + url : url, base), undefined)
}

function cannotListen(error: Error, { host, port }: ListenAddress): Error {
  if (!isNodeError(error)) return error
  return new HermesError(error.code, `Cannot listen on ${host}:${port} (${error.code})`, {
    hint: error.code === 'EADDRINUSE' ? 'Another program listens there: give another port, or 0 for any free one.'
      : 'Give another port, e.g. 0 for any free one.',
    cause: error,
  })
}
