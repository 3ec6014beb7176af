import type { IncomingMessage, ServerResponse } from 'node:http'
import { orNothing } from '../../../0-contracts/src/index.js'
import { refusalOf } from './admission.js'
import type { ListenAddress } from './listen-address.js'
import { readBody } from './read-body.js'
import { refuse } from './refuse.js'
import { serveHttp, type HttpServer } from './serve-http.js'

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

/**
 * Serves HTTP/1.1 to this machine alone. A request is handed on when its Host and Origin are those of this server, its
 * token is right, and its body has come whole and is not too large.
 *
 * @throws HermesError `EADDRINUSE` and the like where it cannot listen
 */
export function serveLoopback(options: LoopbackOptions): Promise<HttpServer> {
  const { address: { host, port }, receiveTimeoutMs, maxConnections } = options
  return serveHttp({
    // Without a Host it is refused like any other that is not ours.
    host, port, withoutHost: true,
    ...(receiveTimeoutMs !== undefined && { receiveTimeoutMs }),
    ...(maxConnections !== undefined && { maxConnections }),
    handle: async (request, response, found) => answer(request, response, found, options),
  })
}

async function answer(
  request: IncomingMessage, response: ServerResponse, port: number,
  { token, maxBodyBytes, isOpen, handle }: LoopbackOptions,
): Promise<void> {
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
