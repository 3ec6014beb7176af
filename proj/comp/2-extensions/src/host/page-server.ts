import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveHttp } from '../../../2-wire/src/index.js'

/** How long a browser may take to ask for a page after it was opened, in milliseconds. */
const FETCH_MS = 5000
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

/** Shows a page to the browser of this machine without leaving a file behind. */
export async function servePage(html: string): Promise<ServedPage> {
  const path = `/${randomUUID()}`
  let fetched: () => void = () => undefined
  const shown = new Promise<void>(resolve => {
    fetched = resolve
  })
  const server = await serveHttp({
    host: '127.0.0.1', port: 0,
    handle(request, response, port) {
      // Another name for this address would be another site.
      if (request.url !== path || request.headers.host !== `127.0.0.1:${port}` || request.method !== 'GET') {
        response.writeHead(404, { connection: 'close' }).end()
        return
      }
      response.writeHead(200, { ...HEADERS, connection: 'close' }).end(html, fetched)
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
