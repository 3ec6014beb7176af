import type { InputRequest, Server, ServerContext } from '@modelcontextprotocol/server'
import { isRecord, HermesError } from '../../0-contracts/src/index.js'
import { pathOfUri } from '../../2-files/src/index.js'
import { firstStop } from '../../2-processes/src/index.js'
import type { Ask } from './talks.js'

/** How long the client may take to name its roots, in milliseconds. */
const ROOTS_MS = 10_000
/** How long its user may take to answer, in milliseconds. */
const ANSWER_MS = 600_000
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** The client that this server serves: what is known of it, and how to ask it. */
export interface Client {
  /**
   * Whether questions are requests sent during a call (protocol until 2025); otherwise a call that needs an answer
   * ends, and is repeated with the answer.
   */
  asksByRequest: boolean
  /** Whether all calls come from one client, so that a consent can be remembered for the session. */
  remembers: boolean
  canAskUser(ctx: ServerContext): boolean
  /** @param signal aborts the wait */
  ask(ctx: ServerContext, request: InputRequest, signal: AbortSignal): Promise<unknown>
  /**
   * The client's directories; `undefined` if it sets no limits.
   *
   * @param ask asks the question where `asksByRequest` is false
   * @throws HermesError where it does not answer
   */
  roots(ctx: ServerContext, ask: Ask): Promise<readonly string[] | undefined>
  /**
   * The same for a request that cannot ask by ending: those that a client without `asksByRequest` named last.
   *
   * @throws HermesError where it has named none, or does not answer
   */
  knownRoots(ctx: ServerContext): Promise<readonly string[] | undefined>
}

/** A client that declared its capabilities at the start, and announces changes of its roots. */
export function connectedClient(server: Server): Client {
  let known: Promise<readonly string[] | undefined> | undefined
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined
  })
  const client: Client = {
    asksByRequest: true,
    remembers: true,
    knownRoots: (ctx) => client.roots(ctx, () => Promise.reject(rootsUnknown(undefined))),
    canAskUser: () => hasForms(server.getClientCapabilities()),
    ask: (ctx, request, signal) => send(ctx, request, ANSWER_MS, signal),
    roots(ctx) {
      if (server.getClientCapabilities()?.roots === undefined) return Promise.resolve(undefined)
      const asked = known ?? send(ctx, { method: 'roots/list' }, ROOTS_MS).then(rootsOf)
      known = asked
      return asked.catch((error: unknown) => {
        if (known === asked) known = undefined
        throw rootsUnknown(error)
      })
    },
  }
  return client
}

/**
 * A client that declares its capabilities with each request.
 *
 * @param remembers whether the connection serves only this client
 */
export function statelessClient(remembers: boolean): Client {
  const capabilities = ({ mcpReq }: ServerContext): unknown =>
    (mcpReq.envelope as Record<string, unknown> | undefined)?.[CAPABILITIES]
  let last: { roots: readonly string[] | undefined } | undefined
  const namesRoots = (ctx: ServerContext): boolean => {
    const declared = capabilities(ctx)
    return isRecord(declared) && declared['roots'] !== undefined
  }
  return {
    asksByRequest: false,
    remembers,
    canAskUser: (ctx) => hasForms(capabilities(ctx)),
    ask: () => Promise.reject(new HermesError('INTERNAL', 'This client is not asked by requests')),
    async roots(ctx, ask) {
      if (!namesRoots(ctx)) return undefined
      const roots = rootsOf(await ask({ method: 'roots/list' }))
      // Clients that share a connection do not speak for each other.
      if (remembers) last = { roots }
      return roots
    },
    async knownRoots(ctx) {
      if (!namesRoots(ctx)) return undefined
      if (last) return last.roots
      throw rootsUnknown(undefined)
    },
  }
}

async function send(
  ctx: ServerContext, { method, params }: InputRequest, timeout: number, signal = ctx.mcpReq.signal,
): Promise<unknown> {
  if (signal.aborted) throw cancelledWhileAsking()
  const sent = ctx.mcpReq.send({ method, ...(params !== undefined && { params: { ...params } }) }, { timeout, signal })
  try {
    // The SDK may wait for a client that is gone.
    if (await firstStop(sent, { signal }) === undefined) return await sent
  } catch (error) {
    if (!signal.aborted) throw error
  }
  throw cancelledWhileAsking()
}

function cancelledWhileAsking(): HermesError {
  return new HermesError('CANCELLED', 'Cancelled while the client was asked')
}

/** The error if a client does not name its roots: nothing may be touched, since they could be narrow. */
function rootsUnknown(error: unknown): HermesError {
  return new HermesError('POLICY_DENIED', 'The client did not say what its roots are', {
    hint: 'Call again; if that does not help the user has to look at the client.', cause: error,
  })
}

/** Whether the client supports forms; by the protocol, one that names no mode does. */
function hasForms(capabilities: unknown): boolean {
  const elicitation: unknown = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined)
}

/**
 * The directories of a client's answer to `roots/list`. A root that is no directory of this machine holds nothing; an
 * empty list draws no bounds (`undefined`), an answer without a list allows nothing (`[]`).
 */
function rootsOf(answer: unknown): readonly string[] | undefined {
  const roots: unknown = isRecord(answer) ? answer['roots'] : undefined
  if (!Array.isArray(roots)) return []
  if (roots.length === 0) return undefined
  return roots.flatMap((root: unknown) => {
    const uri: unknown = isRecord(root) ? root['uri'] : undefined
    const path = typeof uri === 'string' ? pathOfUri(uri) : undefined
    return path === undefined ? [] : [path]
  })
}
