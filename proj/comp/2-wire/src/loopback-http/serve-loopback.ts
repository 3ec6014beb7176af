import type { IncomingMessage, ServerResponse } from 'node:http'
import { orNothing } from '../../../0-contracts/src/index.js'
import { hasToken } from './bearer-token.js'
import type { ListenAddress } from './listen-address.js'
import { readBody } from './read-body.js'
import { refuse, type Refusal } from './refuse.js'
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
    handle: async (request, response, given) => answer(request, response, given, options),
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

/**
 * Why a request is refused, before its body is read. Checks in this order: the Host and Origin by which a page of
 * another site could have got here (DNS rebinding, cross-site requests), then the token.
 *
 * @param token `undefined` where none is required
 */
function refusalOf(request: IncomingMessage, port: number, token: string | undefined): Refusal | undefined {
  const { host, origin, authorization } = request.headers
  if (!isOwnAuthority(host, port)) {
    return {
      status: 403, code: 'FORBIDDEN_HOST',
      message: 'The Host header names another server: ask by 127.0.0.1 or localhost',
    }
  }
  if (origin !== undefined && !isOwnOrigin(origin, port)) {
    return { status: 403, code: 'FORBIDDEN_ORIGIN', message: 'Requests of web pages are not served' }
  }
  if (token !== undefined && !hasToken(authorization, token)) {
    return {
      status: 401, code: 'UNAUTHORIZED',
      message: 'Send the token that was printed at the start: Authorization: Bearer …',
      headers: { 'www-authenticate': 'Bearer realm="hermes"' },
    }
  }
  return undefined
}

function isOwnAuthority(authority: string | undefined, port: number): boolean {
  // Browsers and clients omit the default port.
  const names = ['127.0.0.1', 'localhost', '[::1]']
  const own = names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
  return authority !== undefined && own.includes(authority.toLowerCase())
}

function isOwnOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), port)
}
