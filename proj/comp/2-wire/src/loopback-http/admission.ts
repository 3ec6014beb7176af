import type { IncomingMessage } from 'node:http'
import { hasToken } from './bearer-token.js'
import type { Refusal } from './refuse.js'

/**
 * Why a request is refused, before its body is read. Checks in this order: the Host and Origin by which a page of
 * another site could have got here (DNS rebinding, cross-site requests), then the token.
 *
 * @param token `undefined` where none is required
 */
export function refusalOf(request: IncomingMessage, port: number, token: string | undefined): Refusal | undefined {
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
