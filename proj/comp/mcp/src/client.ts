import type { InputRequest, Server, ServerContext } from '@modelcontextprotocol/server'
import { isRecord, HermesError } from '../../contracts/src/index.js'
import { rootsOf } from './client-roots.js'
import type { Ask } from './talks.js'

/** How long the client may take to name its roots, in milliseconds. */
const ROOTS_MS = 10_000
/** How long its user may take to answer. */
const ANSWER_MS = 600_000
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** What is known of the client, and the ways to ask it. */
export interface Client {
  /**
   * It is asked by requests while its call runs (the protocol until 2025); else a call that needs an answer ends, and comes
   * again with it.
   */
  asksByRequest: boolean
  /** All calls are of one client, so that a consent can hold for the session. */
  remembers: boolean
  canAskUser(ctx: ServerContext): boolean
  ask(ctx: ServerContext, request: InputRequest): Promise<unknown>
  /** Its directories; `undefined` where it draws no bounds. @throws HermesError where it does not say */
  roots(ctx: ServerContext, ask: Ask): Promise<readonly string[] | undefined>
}

/** A client that said at the start what it can do, and tells when its roots change. */
export function connectedClient(server: Server): Client {
  let known: Promise<readonly string[] | undefined> | undefined
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined
  })
  return {
    asksByRequest: true,
    remembers: true,
    canAskUser: () => hasForms(server.getClientCapabilities()),
    ask: (ctx, request) => send(ctx, request, ANSWER_MS),
    roots(ctx) {
      if (server.getClientCapabilities()?.roots === undefined) return Promise.resolve(undefined)
      const asked = known ?? send(ctx, { method: 'roots/list' }, ROOTS_MS).then(rootsOf)
      known = asked
      return asked.catch((error: unknown) => {
        if (known === asked) known = undefined
        throw untold(error)
      })
    },
  }
}

/** A client that says with each request what it can do. @param remembers the connection is its own */
export function statelessClient(remembers: boolean): Client {
  const capabilities = ({ mcpReq }: ServerContext): unknown => (mcpReq.envelope as Record<string, unknown> | undefined)?.[CAPABILITIES]
  return {
    asksByRequest: false,
    remembers,
    canAskUser: (ctx) => hasForms(capabilities(ctx)),
    ask: () => Promise.reject(new HermesError('INTERNAL', 'This client is not asked by requests')),
    async roots(ctx, ask) {
      const declared = capabilities(ctx)
      if (!isRecord(declared) || declared['roots'] === undefined) return undefined
      return rootsOf(await ask({ method: 'roots/list' }))
    },
  }
}

async function send(ctx: ServerContext, request: InputRequest, timeout: number): Promise<unknown> {
  const { method, params } = request
  return ctx.mcpReq.send({ method, ...(params !== undefined && { params: { ...params } }) }, { timeout, signal: ctx.mcpReq.signal })
}

/** Where the client does not say what its roots are, nothing may be touched: they could be narrow. */
function untold(error: unknown): HermesError {
  return new HermesError('POLICY_DENIED', 'The client did not say what its roots are', {
    hint: 'Call again; if that does not help the user has to look at the client.', cause: error,
  })
}

/** The protocol says that a client that names no mode takes forms. */
function hasForms(capabilities: unknown): boolean {
  const elicitation: unknown = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined)
}
