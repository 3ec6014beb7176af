import type { ServerResponse } from 'node:http'

export interface Refusal {
  status: number
  /** Stable, for programs. */
  code: string
  message: string
  headers?: Readonly<Record<string, string>>
}

/**
 * Answers a request that is not served, as JSON `{error: {code, message}}`. The connection ends: what else comes on it
 * is not read.
 */
export function refuse(response: ServerResponse, { status, code, message, headers = {} }: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = `${JSON.stringify({ error: { code, message } })}\n`
  response.writeHead(status, {
    ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close',
    'cache-control': 'no-store',
  })
  response.end(body)
}
