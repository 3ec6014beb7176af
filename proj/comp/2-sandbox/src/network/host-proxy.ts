import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, isIPv6, type Server as Listener, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { checkedTarget, systemResolve, type Refused, type Target } from './checked-target.js'
import { Denials } from './denials.js'
import { addTo } from '../../../0-text/src/index.js'

/** Clients at the same time; each has one connection outside. */
const MOST_CLIENTS = 256
const MOST_HEADER_BYTES = 32 * 1024
/** How long the head of a request may take, in milliseconds. */
const HEAD_MS = 15_000
/** How long a connection may be silent, in milliseconds. */
const IDLE_MS = 5 * 60_000
/** How long the other side may take to accept, in milliseconds. */
const CONNECT_MS = 60_000
/** Headers that are of one connection (RFC 9110, 7.6.1), and those that the proxy writes itself. */
const OWN_HEADERS = [
  'connection', 'proxy-connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect', 'host',
]
const STATUS = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway' } as const

/**
 * An HTTP proxy (RFC 9110: CONNECT, and requests with an absolute URL) that lets named hosts pass alone. Of a request
 * its target decides and nothing else; what is sent on is written anew. TLS passes unread.
 */
export class HostProxy {
  readonly denials = new Denials()
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  readonly #used = new WeakSet<Duplex>()

  /** @param listener where clients come; the proxy closes it */
  constructor(readonly hosts: readonly string[], listener: Listener, private readonly resolve = systemResolve) {
    this.#server = createServer({
      maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: HEAD_MS, requestTimeout: 0,
      connectionsCheckingInterval: HEAD_MS / 3,
    })
    this.#server.maxConnections = MOST_CLIENTS
    this.#server.setTimeout(IDLE_MS)
    this.#server.on('connection', socket => this.#hold(socket))
    this.#server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (this.#isFirst(socket)) void this.#tunnel(url, socket, head)
    })
    this.#server.on('request', (asked, answer) => {
      if (this.#isFirst(asked.socket)) void this.#forward(asked, answer)
    })
    this.#server.on('clientError', (_, socket) => socket.destroy())
    this.#server.listen(listener).unref()
  }

  /** Closes all connections at once. */
  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** It neither keeps hermes from ending nor outlives the proxy. */
  #hold(socket: Socket): void {
    this.#sockets.add(socket)
    socket.unref().setTimeout(IDLE_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy()).once('close', () => this.#sockets.delete(socket))
  }

  /** One request a connection: of those behind it none is bounded, neither what it keeps here nor what it connects. */
  #isFirst(socket: Duplex): boolean {
    const isFirst = !this.#used.has(socket)
    if (isFirst) this.#used.add(socket)
    else socket.destroy()
    return isFirst
  }

  async #tunnel(authority: string, client: Duplex, head: Buffer): Promise<void> {
    const target = await this.#admit(authority, undefined)
    if ('status' in target) {
      client.end(`HTTP/1.1 ${target.status} ${STATUS[target.status]}\r\nContent-Type: text/plain\r\n`
        + `Connection: close\r\n\r\nhermes: ${target.reason}\n`)
      return
    }
    if (client.destroyed) return
    const server = this.#connect(target)
    const endBoth = (): void => {
      client.destroy()
      server.destroy()
    }
    server.once('connect', () => {
      ;(client as Socket).setTimeout(IDLE_MS)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      client.pipe(server).pipe(client)
    })
    server.once('error', ({ code = 'ECONNRESET' }: NodeJS.ErrnoException) => {
      if (server.bytesRead > 0 || !client.writable) endBoth()
      else client.end(`HTTP/1.1 502 ${STATUS[502]}\r\nConnection: close\r\n\r\nhermes: ${authority}: ${code}\n`)
    })
    client.once('close', endBoth)
    server.once('close', () => client.end())
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { url = '', method } = asked
    const [, authority, rest = ''] = /^http:\/\/([^/?#\\@]+)([/?].*)?$/i.exec(url) ?? []
    const target = authority === undefined
      ? { status: 400, reason: 'this is a proxy: it takes CONNECT, and http:// URLs without a user' } as const
      : await this.#admit(authority, 80)
    if ('status' in target) return refuse(answer, target)
    if (asked.destroyed) return
    const headers = { ...endToEnd(asked), host: target.authority }
    // Without a length and without pieces it has no body (RFC 9112, 6.3).
    const hasBody = asked.headers['content-length'] !== undefined || asked.headers['transfer-encoding'] !== undefined
    // Without an agent, which would connect by itself.
    const onward = request({
      method, path: rest.startsWith('/') ? rest : `/${rest}`, setHost: false,
      createConnection: () => this.#connect(target), maxHeaderSize: MOST_HEADER_BYTES,
      // Node sends a body of GET and the like unmarked, so that a server reads it as a request of its own.
      headers: hasBody && !('content-length' in headers) ? { ...headers, 'transfer-encoding': 'chunked' } : headers,
    })
    const fail = (why: string): void => {
      if (answer.headersSent) answer.destroy()
      else refuse(answer, { status: 502, reason: `${target.host}: ${why}` })
      onward.destroy()
    }
    onward.on('response', (reply) => {
      const { statusCode = 0 } = reply
      if (statusCode < 200) {
        fail(`its answer has no status (${statusCode})`)
        return
      }
      // The words of the status are the server's, and may be any bytes.
      answer.writeHead(statusCode, { ...endToEnd(reply), connection: 'close' })
      reply.on('error', () => answer.destroy()).pipe(answer)
    })
    onward.on('error', (error) => fail(isNodeError(error) ? error.code : error.message))
    // Such as after 101, which tells of no error.
    onward.once('close', () => {
      if (!answer.headersSent) fail('it gave no answer')
    })
    answer.once('close', () => onward.destroy())
    if (hasBody) asked.pipe(onward)
    else onward.end()
  }

  async #admit(authority: string, usualPort: number | undefined): Promise<Target | Refused> {
    const target = await checkedTarget(authority, usualPort, this.hosts, this.resolve)
    if ('denied' in target && target.denied !== undefined) this.denials.add(target.denied)
    return target
  }

  /** To the addresses that were looked at, whatever the name leads to by now. */
  #connect({ host, port, addresses }: Target): Socket {
    const all = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = all
    const socket = connect({
      host, port, allowHalfOpen: true,
      lookup: (_, options, tell) => {
        if (options.all === true) tell(null, all)
        else tell(null, first?.address ?? '', first?.family)
      },
    })
    this.#hold(socket)
    socket.setTimeout(CONNECT_MS).once('connect', () => socket.setTimeout(IDLE_MS))
    return socket
  }
}

function refuse(answer: ServerResponse, { status, reason }: Refused): void {
  answer.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`hermes: ${reason}\n`)
}

/**
 * The fields that are sent on; of a repeated one all values. Of the list as it came: a name such as `__proto__` ends
 * older releases of Node where they sort it.
 */
function endToEnd({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    addTo(fields, (rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '')
  }
  const named = (fields.get('connection') ?? []).flatMap(list => list.toLowerCase().split(',')).map(name => name.trim())
  for (const name of [...OWN_HEADERS, ...named]) fields.delete(name)
  return Object.fromEntries(fields)
}
