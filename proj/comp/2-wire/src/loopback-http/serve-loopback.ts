import type { IncomingMessage, ServerResponse } from 'node:http'
import { orNothing } from '../../../0-contracts/src/index.js'
import { refusalOf } from './admission.js'
import type { ListenAddress } from './listen-address.js'
import { readBody } from './read-body.js'
import { refuse } from './refuse.js'
import { serveHttp, type HttpOptions, type HttpServer } from './serve-http.js'

/** An admitted request. */
export interface LoopbackCall {
  request: IncomingMessage
  response: ServerResponse
  /** Absolute. */
  url: URL
  /** Empty where there is none. */
  body: Buffer
  /** Aborted when the client disconnects before the response is complete. */
  signal: AbortSignal
}

export interface LoopbackOptions extends Pick<HttpOptions, 'receiveTimeoutMs'> {
  address: ListenAddress
  /** The token that every request must send as `Authorization: Bearer …`. */
  token: string
  /** Larger bodies are answered with 413. */
  maxBodyBytes: number
  /**
   * Requests to answer without the token: a page without any data of the user's, which sends the token itself. Host and
   * Origin are still checked. Default: none.
   */
  isOpen?: (request: IncomingMessage) => boolean
  /** Answers a request; where it throws or rejects, the answer is 500 without details. */
  handle: (call: LoopbackCall) => void | Promise<void>
}

/**
 * Serves HTTP/1.1 to this machine only. Requests are passed on if their Host and Origin are those of this server, the
 * token is right, and the body is complete and not too large.
 *
 * @throws HermesError `EADDRINUSE` and the like where it cannot listen
 */
export function serveLoopback(options: LoopbackOptions): Promise<HttpServer> {
  const { address: { host, port }, receiveTimeoutMs } = options
  return serveHttp({
    // Requests without Host are refused in `refusalOf` like any foreign one.
    host, port, withoutHost: true, receiveTimeoutMs,
    handle: async (request, response, found) => answer(request, response, found, options),
  })
}

async function answer(
  request: IncomingMessage, response: ServerResponse, port: number,
  { token, maxBodyBytes, isOpen, handle }: LoopbackOptions,
): Promise<void> {
  const refusal = refusalOf(request, port, isOpen?.(request) === true ? undefined : token)
  if (refusal) return refuse(response, refusal)
  try {
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return refuse(response, {
      status: 413, code: 'BODY_TOO_LARGE', message: `A body has at most ${maxBodyBytes} bytes`,
    })
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    const url = urlOf(request)
    if (!url) return refuse(response, { status: 404, code: 'NOT_FOUND', message: 'The path is no path' })
    await handle({ request, response, url, body, signal: gone.signal })
  } catch {
    // Whatever the error was, no details are revealed, and serving continues.
    refuse(response, { status: 500, code: 'INTERNAL', message: 'The request could not be served' })
  }
}

/** Resolves the URL so that a path with two leading slashes names no host. */
function urlOf({ url = '/', headers }: IncomingMessage): URL | undefined {
  const base = `http://${headers.host ?? 'localhost'}`
  return orNothing(() => new URL(url.startsWith('/') ? base + url : url, base), undefined)
}
