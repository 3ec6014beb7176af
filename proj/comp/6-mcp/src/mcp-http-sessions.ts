import { randomUUID } from 'node:crypto'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createServer, type ServerParts } from './create-server.js'
import type { Desk } from './desk.js'

/** Most sessions at once; beyond them the one that was used least recently ends, of those without a running call. */
const MOST_SESSIONS = 64
/** A session that nobody has used for so long ends, in milliseconds. */
const IDLE_MS = 3_600_000

interface HttpSession {
  transport: WebStandardStreamableHTTPServerTransport
  desk: Desk
  timer: NodeJS.Timeout
}

/** The sessions of clients of the protocol until 2025, each with what a connection has. */
export class HttpSessions {
  readonly #parts: ServerParts
  readonly #createDesk: () => Desk
  readonly #sessions = new Map<string, HttpSession>()

  constructor(parts: ServerParts, createDesk: () => Desk) {
    this.#parts = parts
    this.#createDesk = createDesk
  }

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

  /** Only a request that initializes makes a session: the transport refuses any other. */
  async #begin(request: Request): Promise<Response> {
    const { sdk } = this.#parts
    if (this.#sessions.size >= 2 * MOST_SESSIONS) {
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32000, message: 'Too many sessions with running calls' }, id: null },
        { status: 503 },
      )
    }
    const desk = this.#createDesk()
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, desk, timer: setTimeout(() => void this.#end(id), IDLE_MS).unref() })
        // What a client waits for is not taken from it.
        const [idle] = [...this.#sessions].find(([one, each]) => one !== id && each.desk.calls.size === 0) ?? []
        if (idle !== undefined && this.#sessions.size > MOST_SESSIONS) void this.#end(idle)
      },
      onsessionclosed: (id) => void this.#end(id),
    })
    const server = createServer({ ...this.#parts, desk }, 'legacy', true)
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await Promise.all([server.close(), desk.close()])
    return response
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (!session) return
    clearTimeout(session.timer)
    await session.desk.close()
    await session.transport.close()
  }
}
