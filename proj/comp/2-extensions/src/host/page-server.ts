import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../../../0-contracts/src/index.js'
import { readBody, serveHttp } from '../../../2-wire/src/index.js'

/** How long a browser may take to ask for a page after it was opened, in milliseconds. */
const FETCH_MS = 5000
/** Of one message of a page. */
const MOST_MESSAGE_BYTES = 2 ** 20
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // An origin of its own: the page reaches nothing else of this machine as its own.
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals',
} as const

export interface ServedPage {
  /** On loopback, with a name that cannot be guessed. */
  url: string
  /** Waits for a page that was opened and not fetched yet, at most 5 s, then serves it no more. */
  close(): Promise<void>
}

/**
 * Shows a page to the browser of this machine without leaving a file behind. What the page posts to `message` beside
 * itself comes back: the secret in its address is the page's right to do so.
 *
 * @param take told of each message, as JSON has it
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
      // Another name for this address would be another site.
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
      const waited = new AbortController()
      await Promise.race([shown, sleep(FETCH_MS, undefined, { signal: waited.signal }).catch(() => undefined)])
      waited.abort()
      await server.close()
    },
  }
}

async function takeMessage(
  request: IncomingMessage, response: ServerResponse, take: (data: unknown) => void,
): Promise<void> {
  const body = await readBody(request, MOST_MESSAGE_BYTES).catch(() => Buffer.alloc(0))
  const data = body && parseJson(body.toString('utf8'))
  // Its origin is `null`, as that of every sandboxed page: the name in the address is what tells them apart.
  const headers = { 'access-control-allow-origin': 'null', connection: 'close' }
  if (body === undefined) response.writeHead(413, headers).end(`A message has at most ${MOST_MESSAGE_BYTES} bytes\n`)
  else if (data === undefined) response.writeHead(400, headers).end('A message is JSON\n')
  else {
    take(data)
    response.writeHead(204, headers).end()
  }
}
