import type { ServerResponse } from 'node:http'
import { writeMessage } from '../../2-wire/src/index.js'
import type { Tell } from './http-session.js'

/** Most bytes buffered for a client that does not read; beyond it the connection is closed. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
const KEEP_ALIVE_MS = 15_000

export function sendJson(
  response: ServerResponse, status: number, message: object, headers: Readonly<Record<string, string>> = {},
): void {
  const body = writeMessage(message)
  response.writeHead(status, {
    ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(body)
}

/**
 * Opens a stream of server-sent events, one message each. A comment now and then keeps it alive.
 *
 * @returns functions to send a message, and to end with the last one
 */
export function openStream(
  response: ServerResponse, headers: Readonly<Record<string, string>>,
): { tell: Tell; end: (message: object) => void } {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  const timer = setInterval(() => response.write(': alive\n\n'), KEEP_ALIVE_MS).unref()
  response.once('close', () => clearInterval(timer))
  const tell: Tell = (message) => {
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy()
    // JSON contains no raw line breaks.
    return new Promise((resolve) => {
      response.write(`data: ${writeMessage(message)}\n\n`, () => resolve())
    })
  }
  return {
    tell,
    end(message) {
      clearInterval(timer)
      void tell(message)
      response.end()
    },
  }
}
