import { whenAborted } from '../../2-processes/src/index.js'
import {
  refuse, serveLoopback, type ListenAddress, type LoopbackCall, DEFAULT_MAX_MESSAGE_BYTES, readMessage, RPC,
  answerMessage, RpcError, type AnswerMessage, type IncomingRequest, type MessageId, type Peer, type WireError,
} from '../../2-wire/src/index.js'
import { openStream, sendJson } from './http-answers.js'
import type { HttpSession } from './http-session.js'
import { HttpSessions } from './rpc-http-sessions.js'
import type { ServeOptions } from './serve-options.js'
import { DISCOVER } from './serve-protocol.js'
import { shared } from './shared.js'

const PATH = '/rpc'
const SESSION = 'hermes-session'

export interface HttpOptions {
  address: ListenAddress
  token: string
  /** In milliseconds. Default 30,000. */
  receiveTimeoutMs?: number
  /** Called with the address when clients can connect; if it throws, the server ends. */
  onListening: (url: string) => void
}

/** Serves clients on this machine over HTTP until the signal is aborted: `docs/server.md` describes the protocol. */
export async function serveHttp(
  options: ServeOptions, { address, token, receiveTimeoutMs, onListening }: HttpOptions,
): Promise<void> {
  const sessions = new HttpSessions(shared(options))
  const server = await serveLoopback({
    address, token, maxBodyBytes: DEFAULT_MAX_MESSAGE_BYTES - 1, receiveTimeoutMs,
    handle: (call) => serveCall(call, sessions),
  })
  try {
    onListening(`${server.url}${PATH}`)
    await whenAborted(options.signal)
  } finally {
    await sessions.end()
    await server.close()
  }
}

async function serveCall(call: LoopbackCall, sessions: HttpSessions): Promise<void> {
  const { request, response, url, body } = call
  if (url.pathname !== PATH) return refuse(response, { status: 404, code: 'NOT_FOUND', message: `Ask at ${PATH}` })
  const given = request.headers[SESSION]
  const session = typeof given === 'string' ? sessions.find(given) : undefined
  if (given !== undefined && !session) {
    return refuse(response, {
      status: 404, code: 'NO_SESSION', message: 'There is no such session: send initialize again',
    })
  }
  if (request.method === 'DELETE' && session) {
    await sessions.remove(session)
    response.writeHead(204).end()
    return
  }
  if (request.method !== 'POST') {
    return refuse(response, {
      status: 405, code: 'METHOD_NOT_ALLOWED', message: 'POST a message', headers: { allow: 'POST, DELETE' },
    })
  }
  const message = readMessage(body)
  if (message.kind === 'invalid') return sendJson(response, 400, errorAnswer(message.id, message.error))
  if (message.kind !== 'request') {
    if (!session) return refuse(response, {
      status: 400, code: 'NO_SESSION', message: `Send the header ${SESSION} that initialize was answered with`,
    })
    session.take(message)
    response.writeHead(202, { 'content-length': 0 }).end()
    return
  }
  if (session) return answer(session, message, call, {})
  if (Object.hasOwn(DISCOVER, message.method)) {
    const { signal } = call
    return sendJson(response, 200, await answerMessage(message, { requests: DISCOVER }, { peer: NOBODY, signal }))
  }
  if (message.method !== 'initialize') {
    return sendJson(response, 200, errorAnswer(message.id, {
      code: RPC.notInitialized, message: 'Not initialized',
      data: { hint: `Send initialize, and its header ${SESSION} with all that follows.` },
    }))
  }
  const opened = sessions.open()
  if (!opened) {
    return refuse(response, { status: 503, code: 'TOO_MANY_SESSIONS', message: 'End a session first: DELETE it' })
  }
  await answer(opened, message, call, { [SESSION]: opened.id })
  if (!opened.isInitialized) await sessions.remove(opened)
}

/** Answers with one document, or as the last message if the client accepts a stream. */
async function answer(
  session: HttpSession, message: IncomingRequest, { request, response, signal }: LoopbackCall,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (!/\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
    return sendJson(response, 200, await session.answer(message, signal), headers)
  }
  const { tell, end } = openStream(response, headers)
  end(await session.answer(message, signal, tell))
}

/** A client without a session gets no notifications or requests. */
const NOBODY: Peer = {
  notify: () => Promise.resolve(),
  request: () => Promise.reject(new RpcError(RPC.requestFailed, 'The client has no session')),
}

function errorAnswer(id: MessageId | null, error: WireError): AnswerMessage {
  return { jsonrpc: '2.0', id, error }
}
