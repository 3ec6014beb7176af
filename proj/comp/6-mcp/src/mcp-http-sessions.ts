import { randomUUID } from 'node:crypto'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createServer, type ServerParts } from './create-server.js'
import type { ConnectionState } from './connection-state.js'

/** Most sessions at once; beyond it the least recently used session without a running call is ended. */
const MOST_SESSIONS = 64
/** Idle time after which a session ends, in milliseconds. */
const IDLE_MS = 3_600_000

interface HttpSession {
  transport: WebStandardStreamableHTTPServerTransport
  connection: ConnectionState
  timer: NodeJS.Timeout
}

/** Sessions of clients with the protocol until 2025, each with its own connection state. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>()

  constructor(private readonly parts: ServerParts, private readonly createConnection: () => ConnectionState) {}

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request)
    const session = this.#sessions.get(id)
    if (!session) return Response.json(
      { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 },
    )
    session.timer.refresh()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.transport.handleRequest(request)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)))
  }

  /** Starts a session, for an initializing request only: the transport refuses any other. */
  async #begin(request: Request): Promise<Response> {
    const { sdk } = this.parts
    if (this.#sessions.size >= 2 * MOST_SESSIONS) {
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32000, message: 'Too many sessions with running calls' }, id: null },
        { status: 503 },
      )
    }
    const connection = this.createConnection()
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, connection, timer: setTimeout(() => void this.#end(id), IDLE_MS).unref() })
        // What a client waits for is not taken from it.
        const [idle] = [...this.#sessions].find(([key, each]) => key !== id && each.connection.calls.size === 0) ?? []
        if (idle !== undefined && this.#sessions.size > MOST_SESSIONS) void this.#end(idle)
      },
      onsessionclosed: (id) => void this.#end(id),
    })
    const server = createServer({ ...this.parts, connection }, 'legacy', true)
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await Promise.all([server.close(), connection.close()])
    return response
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (!session) return
    clearTimeout(session.timer)
    await session.connection.close()
    await session.transport.close()
  }
}
