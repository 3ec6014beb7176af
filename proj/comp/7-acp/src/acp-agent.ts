import type {
  AgentApp, AgentContext, ClientCapabilities, McpServer as GivenServer, ListSessionsResponse, RequestError,
  SessionModeState,
} from '@agentclientprotocol/sdk'
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { HermesError, orNothing, tracked, type McpServer, type McpServerOptions } from '../../0-contracts/src/index.js'
import { escapeControls } from '../../0-text/src/index.js'
import { givenServers } from '../../2-config/src/index.js'
import { ofRoot } from '../../7-console/src/index.js'
import type { AcpSetup, Sdk } from './acp-setup.js'
import { AcpSession } from './acp-session.js'
import { clientPort } from './client-port.js'
import { editorPaths } from './editor-paths.js'

const GIVEN_BY = 'your editor\'s settings'
const LONGEST_NAME = 32

/** Open at once. Each holds its conversation, and what its commands left running. */
const MOST_SESSIONS = 64
/** Of a list, at a time. */
const PAGE = 50

interface PlaceParams {
  cwd: string
  additionalDirectories?: string[]
  mcpServers?: GivenServer[]
}

/** The sessions of one connection. */
export class AcpAgent {
  readonly #sessions = new Map<string, AcpSession>()
  /** Being opened. */
  readonly #opening = new Set<Promise<unknown>>()
  #capabilities: ClientCapabilities = {}

  /** @param closed aborted when the client has left */
  constructor(private readonly sdk: Sdk, private readonly setup: AcpSetup, private readonly closed: AbortSignal) {}

  /** What clients may ask. */
  app(): AgentApp {
    const { PROTOCOL_VERSION, agent } = this.sdk
    const told = async <T>(work: () => T | Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw requestError(this.sdk, error)
      }
    }
    return agent({ name: 'hermes' })
      .onRequest('initialize', ({ params }) => {
        this.#capabilities = params.clientCapabilities ?? {}
        return {
          // Of another version the client hears which one there is, and leaves.
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: 'hermes', title: 'hermes', version: this.setup.version },
          agentCapabilities: {
            loadSession: true, promptCapabilities: { embeddedContext: true, image: true, audio: false },
            mcpCapabilities: { http: true, sse: false },
            sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
          },
          authMethods: [],
        }
      })
      .onRequest('session/new', ({ params, client }) => told(async () => {
        const session = await this.#open(this.setup.newTaskId(), params, client)
        return { sessionId: session.id, modes: session.modes }
      }))
      .onRequest('session/load', ({ params, client }) => told(async () => (
        this.#takeUp(params.sessionId, params, client, async (session) => session.replay())
      )))
      .onRequest('session/resume', ({ params, client }) => told(async () => (
        this.#takeUp(params.sessionId, params, client)
      )))
      .onRequest('session/list', ({ params }) => told(async () => this.#list(params.cwd, params.cursor)))
      .onRequest('session/close', ({ params }) => told(async () => this.#close(this.#session(params.sessionId))))
      .onRequest('session/delete', ({ params: { sessionId } }) => told(async () => {
        const open = this.#sessions.get(sessionId)
        if (open) await this.#close(open)
        await this.setup.sessions.remove(sessionId)
      }))
      .onRequest('session/set_mode', ({ params }) => told(async () => (
        this.#session(params.sessionId).setMode(params.modeId)
      )))
      .onRequest('session/prompt', ({ params, signal }) => told(async () => ({
        stopReason: await this.#session(params.sessionId).prompt(params.prompt, signal),
      })))
      .onNotification('session/cancel', ({ params }) => this.#sessions.get(params.sessionId)?.cancel())
  }

  /** Stops what runs in all sessions, and ends them; they are kept. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#opening)
    await Promise.allSettled([...this.#sessions.values()].map(async (session) => session.end()))
    this.#sessions.clear()
  }

  #session(id: string): AcpSession {
    const session = this.#sessions.get(id)
    if (session) return session
    throw this.sdk.RequestError.sessionNotFound(id)
  }

  async #open(id: string, params: PlaceParams, client: AgentContext): Promise<AcpSession> {
    if (this.#sessions.size + this.#opening.size >= MOST_SESSIONS) {
      throw new HermesError('LOCKED', `${MOST_SESSIONS} sessions are open`, { hint: 'Close one of them first.' })
    }
    return tracked(this.#opening, this.#opened(id, params, client))
  }

  async #opened(
    id: string, { cwd, additionalDirectories = [], mcpServers = [] }: PlaceParams, client: AgentContext,
  ): Promise<AcpSession> {
    for (const directory of [cwd, ...additionalDirectories]) requireDirectory(directory)
    const servers = sessionServers(mcpServers)
    const place = await this.setup.openPlace({ root: cwd, allow: additionalDirectories })
    const port = clientPort(client, this.closed, id, this.#capabilities)
    const named = editorPaths([cwd, ...additionalDirectories])
    const session = new AcpSession({ id, setup: this.setup, place, client: port, named, servers })
    try {
      await session.open()
    } catch (error) {
      await session.end()
      throw error
    }
    this.#sessions.set(id, session)
    // The client takes no updates of a session that it has not been told of.
    setImmediate(() => void session.tellCommands())
    return session
  }

  /** A kept session, in the directory that it belongs to. @param tell what is told before the request is answered */
  async #takeUp(
    id: string, params: PlaceParams, client: AgentContext, tell?: (session: AcpSession) => Promise<void>,
  ): Promise<{ modes: SessionModeState }> {
    const kept = (await this.setup.sessions.list()).filter((sessionInfo) => sessionInfo.id === id)
    if (kept.length === 0) throw this.sdk.RequestError.sessionNotFound(id)
    if (ofRoot(kept, params.cwd).length === 0) {
      throw new HermesError('INVALID_PARAMETER', `Session ${id} is of another directory: ${kept[0]?.root ?? '?'}`, {
        hint: 'Open that one, or begin a new session.',
      })
    }
    const open = this.#sessions.get(id)
    if (open) await this.#close(open)
    const session = await this.#open(id, params, client)
    await tell?.(session)
    return { modes: session.modes }
  }

  async #close(session: AcpSession): Promise<void> {
    await session.end()
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id)
  }

  async #list(cwd: string | null | undefined, cursor: string | null | undefined): Promise<ListSessionsResponse> {
    const all = await this.setup.sessions.list()
    const known = typeof cwd === 'string' ? ofRoot(all, cwd) : all
    const after = typeof cursor === 'string' ? known.findIndex(({ id }) => id === cursor) + 1 : 0
    // From the beginning again, who pages would never end.
    if (typeof cursor === 'string' && after === 0) {
      throw new HermesError('INVALID_PARAMETER', 'The list does not go on there', { hint: 'List from the beginning.' })
    }
    const page = known.slice(after, after + PAGE)
    const last = page.at(-1)
    return {
      sessions: page.flatMap(({ id, root, title, updatedMs }) => (root === undefined ? [] : [{
        sessionId: id, cwd: root, updatedAt: new Date(updatedMs).toISOString(),
        ...(title !== undefined && { title: escapeControls(title) }),
      }])),
      ...(last && after + PAGE < known.length && { nextCursor: last.id }),
    }
  }
}

function requireDirectory(path: string): void {
  const isThere = isAbsolute(path) && orNothing(() => statSync(path).isDirectory(), false)
  if (isThere) return
  throw new HermesError('INVALID_PARAMETER', `No directory of this machine: ${path}`, {
    hint: 'Sessions work in a directory that is there, by its absolute path.',
  })
}

/** JSON-RPC's own numbers. */
const INVALID_PARAMS = -32602
const INTERNAL = -32603
/** What is wrong with the request itself. */
const OF_REQUEST = new Set(['INVALID_OPTION', 'INVALID_PARAMETER', 'ENOENT', 'ENOTDIR'])

/** A failure of hermes as the protocol has it: editors show the message, so the hint stands in it. */
function requestError(sdk: Pick<Sdk, 'RequestError'>, error: unknown): RequestError {
  if (error instanceof sdk.RequestError) return error
  if (!(error instanceof HermesError)) {
    const message = error instanceof Error ? error.message : String(error)
    return new sdk.RequestError(INTERNAL, `hermes failed: ${message}`, { code: 'INTERNAL' })
  }
  const { code, message, hint } = error
  const text = hint === undefined ? message : `${message}. ${hint}`
  return new sdk.RequestError(OF_REQUEST.has(code) ? INVALID_PARAMS : INTERNAL, text, {
    code, ...(hint !== undefined && { hint }),
  })
}

/**
 * The MCP servers that the client has its agent use. Each call of their tools is asked about, as with servers of the
 * user's file that say nothing else.
 *
 * @throws HermesError `INVALID_OPTION`
 */
function sessionServers(given: readonly GivenServer[]): McpServer[] {
  const servers: Record<string, McpServerOptions> = {}
  for (const server of given) servers[freeName(server.name, servers)] = optionsOf(server)
  return givenServers(servers, GIVEN_BY)
}

function optionsOf(server: GivenServer): McpServerOptions {
  if (!('type' in server)) return { command: server.command, args: server.args, env: pairs(server.env) }
  if (server.type === 'http') return { url: server.url, headers: pairs(server.headers) }
  throw new HermesError('INVALID_OPTION', `The MCP server ${server.name} is spoken to by SSE, which hermes does not`, {
    hint: 'Give its address for streamable HTTP, or start it as a program.',
  })
}

function pairs(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}

/** Names of tools begin with that of their server, which therefore has letters, digits and `-` only. */
function freeName(written: string, taken: Readonly<Record<string, unknown>>): string {
  const plain = written.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[^A-Za-z]+|-+$/g, '').slice(0, LONGEST_NAME - 3)
  const name = plain === '' ? 'server' : plain
  let free = name
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name}-${count}`
  return free
}
