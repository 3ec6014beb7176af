import { whenAborted } from '../../2-processes/src/index.js'
import { refuse, serveLoopback, type ListenAddress, type LoopbackCall } from '../../2-wire/src/index.js'
import { createServer, type ServerParts } from './create-server.js'
import type { ConnectionState } from './connection-state.js'
import { HttpSessions } from './mcp-http-sessions.js'
import { sendResponse, toRequest } from './node-http.js'

/** Largest request body, in bytes: many times an answer of a model. */
const MAX_BODY = 16 * 2 ** 20
const PATH = '/mcp'

export interface HttpParts extends ServerParts {
  address: ListenAddress
  token: string
  createConnection: () => ConnectionState
  /** Told once it listens; the server ends with what it throws. */
  onListening: (url: string) => void
}

/**
 * Serves streamable HTTP to this machine. Clients with the protocol until 2025 have a session each; requests of the
 * newest protocol are independent, and share one.
 */
export async function serveOverHttp(
  parts: HttpParts, signal: AbortSignal, onerror: (error: Error) => void,
): Promise<void> {
  const { sdk, connection, address, token, createConnection, onListening } = parts
  const modern = sdk.createMcpHandler(() =>
    createServer(parts, 'modern', false), { legacy: 'reject', onerror, maxRequestBodySize: MAX_BODY })
  connection.resourceListeners.add(() => modern.notify.resourcesChanged())
  const sessions = new HttpSessions(parts, createConnection)
  const handle = async (call: LoopbackCall): Promise<void> => {
    if (call.url.pathname !== PATH) {
      refuse(call.response, { status: 404, code: 'NOT_FOUND', message: `hermes mcp answers at ${PATH}` })
      return
    }
    const request = toRequest(call)
    const isLegacy = await sdk.isLegacyRequest(request.clone(), undefined, { maxRequestBodySize: MAX_BODY })
    await sendResponse(isLegacy ? await sessions.handle(request) : await modern.fetch(request), call)
  }
  const server = await serveLoopback({ address, token, maxBodyBytes: MAX_BODY, handle })
  try {
    onListening(`${server.url}${PATH}`)
    await whenAborted(signal)
  } finally {
    // First what runs: its clients still hear how it ended.
    await Promise.all([sessions.close(), connection.close()])
    await modern.close()
    await server.close()
  }
}
