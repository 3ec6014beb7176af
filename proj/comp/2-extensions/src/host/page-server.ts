import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../../0-contracts/src/index.js'
import { firstStop } from '../../../2-processes/src/index.js'
import { readBody, serveHttp } from '../../../2-wire/src/index.js'

/** Time for a browser to fetch a page after it was opened, in milliseconds. */
const FETCH_MS = 5000
/** Largest message from a page, in bytes. */
const MOST_MESSAGE_BYTES = 2 ** 20
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // An origin of its own, so that the page cannot access other servers of this machine as same-origin.
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals',
} as const

export interface ServedPage {
  /** Loopback URL with a secret path. */
  url: string
  /** Waits at most 5 s for an opened page to be fetched, then stops serving. */
  close(): Promise<void>
}

/**
 * Serves a page to this machine's browser without creating a file. The page can post messages to `message` beside
 * itself; the secret in its URL authorizes it.
 *
 * @param take called with each message, as parsed JSON
 */
export async function servePage(html: string, take?: (data: unknown) => void): Promise<ServedPage> {
  const path = `/${randomUUID()}/`
  let fetched: () => void = () => undefined
  const shown = new Promise<void>(resolve => {
    fetched = resolve
  })
  const server = await serveHttp({
    host: '127.0.0.1', port: 0,
    handle(request, response, port) {
      // Accept no other name for this address, which would be another site.
      const called = request.headers.host === `127.0.0.1:${port}` ? `${request.method} ${request.url}` : ''
      if (called === `GET ${path}`) response.writeHead(200, { ...HEADERS, connection: 'close' }).end(html, fetched)
      else if (take && called === `POST ${path}message`) return takeMessage(request, response, take)
      else response.writeHead(404, { connection: 'close' }).end()
      return undefined
    },
  })
  return {
    url: `${server.url}${path}`,
    async close() {
      await firstStop(shown, { timeoutMs: FETCH_MS })
      await server.close()
    },
  }
}

async function takeMessage(
  request: IncomingMessage, response: ServerResponse, take: (data: unknown) => void,
): Promise<void> {
  const body = await readBody(request, MOST_MESSAGE_BYTES).catch(() => Buffer.alloc(0))
  const data = body && parseJson(body.toString('utf8'))
  // All sandboxed pages have the origin `null`; the secret in the URL distinguishes them.
  const headers = { 'access-control-allow-origin': 'null', connection: 'close' }
  if (body === undefined) response.writeHead(413, headers).end(`A message has at most ${MOST_MESSAGE_BYTES} bytes\n`)
  else if (data === undefined) response.writeHead(400, headers).end('A message is JSON\n')
  else {
    take(data)
    response.writeHead(204, headers).end()
  }
}
