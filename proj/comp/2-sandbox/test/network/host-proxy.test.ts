import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { HostProxy } from '../../src/network/host-proxy.js'
import { isPublic } from '../../src/network/public-address.js'

/** Names of the tests; every other one is not found. */
type Names = Record<string, readonly string[]>

it('lets a named host pass: TLS and all else as it is, plain HTTP written anew', async () => {
  const web = await website()
  const { ask } = await proxyFor([`api.example.org:${web.port}`, `127.0.0.1:${web.port}`], { 'api.example.org': ['127.0.0.1'] })
  const tunnel = await ask(`CONNECT API.example.org.:${web.port} HTTP/1.1\r\n\r\n`, 'GET /in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(tunnel).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  const plain = await ask(
    `POST http://api.example.org:${web.port}/out?q HTTP/1.1\r\nHost: evil.net\r\nProxy-Authorization: Basic eA==\r\nConnection: close, X-Hop\r\n`
    + 'X-Hop: 1\r\nX-End: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  )
  expect(plain).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(web.asked).toEqual([
    { url: '/in', host: 'x', names: ['host', 'connection'], body: '' },
    { url: '/out?q', host: `api.example.org:${web.port}`, names: ['x-end', 'host', 'transfer-encoding', 'connection'], body: 'abc' },
  ])
})

it('refuses what is not named, and tells of each host once', async () => {
  const web = await website()
  const { ask, proxy } = await proxyFor(['api.example.org', '*.cdn.example.org'], {
    'api.example.org': ['127.0.0.1'], 'evil.net': ['127.0.0.1'],
  })
  const denied = proxy.denials.fromNow()
  for (const authority of [
    'evil.net:443', 'evil.net:443', 'cdn.example.org:443', `api.example.org:${web.port}`, `127.0.0.1:${web.port}`, '[::1]:443', '2130706433:443',
    `[::ffff:127.0.0.1]:${web.port}`,
  ]) expect(await ask(`CONNECT ${authority} HTTP/1.1\r\nHost: api.example.org\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(await ask('GET http://evil.net/ HTTP/1.1\r\nHost: api.example.org\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 [^]*evil\.net is not named/)
  expect(denied()).toEqual([
    'cdn.example.org', `api.example.org:${web.port}`, `127.0.0.1:${web.port}`, '::1', '127.0.0.1', `[::ffff:7f00:1]:${web.port}`, 'evil.net',
  ].map(host => ({ host, why: 'unnamed' })))
  expect(web.asked).toEqual([])
})

it.each([
  'CONNECT api.example.org HTTP/1.1', 'CONNECT user@api.example.org:443 HTTP/1.1', 'CONNECT api.example.org:443@evil.net:443 HTTP/1.1',
  'CONNECT api.example.org%2eevil.net:443 HTTP/1.1', 'CONNECT api.example.org:443/x HTTP/1.1', 'CONNECT :443 HTTP/1.1', 'CONNECT api.example.org:99999 HTTP/1.1',
  'GET http://api.example.org@evil.net/ HTTP/1.1', 'GET http://u:p@api.example.org/ HTTP/1.1', 'GET http://evil.net\\@api.example.org/ HTTP/1.1',
  'GET / HTTP/1.1', 'GET https://api.example.org/ HTTP/1.1', 'GET ftp://api.example.org/ HTTP/1.1', 'GET http:/api.example.org/ HTTP/1.1', 'OPTIONS * HTTP/1.1',
])('takes no %s', async (line) => {
  const { ask } = await proxyFor(['api.example.org', 'evil.net'], { 'api.example.org': ['127.0.0.1'], 'evil.net': ['127.0.0.1'] })
  expect(await ask(`${line}\r\nHost: api.example.org\r\n\r\n`)).toMatch(/^(?:HTTP\/1\.1 400 |$)/)
})

it.each([
  'GET http://api.example.org/ HTTP/1.1\r\nHost: api.example.org\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://evil.net/ HTTP/1.1\r\n\r\n',
  'GET http://api.example.org/ HTTP/1.1\r\nHost: api.example.org\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\nsmuggled!',
  'GET http://api.example.org/ HTTP/1.1\r\nHost: a\r\nX: y\nTransfer-Encoding : chunked\r\n\r\n',
  'GET http://api.example.org/\x00 HTTP/1.1\r\nHost: a\r\n\r\n',
])('closes a connection whose request has two readings: %j', async (request) => {
  const web = await website()
  const { ask } = await proxyFor([`127.0.0.1:${web.port}`, '127.0.0.1', 'api.example.org'], { 'api.example.org': ['127.0.0.1'] })
  expect(await ask(request)).not.toMatch(/^HTTP\/1\.1 200/)
  expect(web.asked).toEqual([])
})

it.each(['GET', 'DELETE', 'POST'])('marks where the body of %s ends, so that a server reads no second request in it', async (method) => {
  const web = await website()
  const { ask } = await proxyFor([`127.0.0.1:${web.port}`], {})
  const inner = 'GET /inner HTTP/1.1\r\nHost: evil.net\r\n\r\n'
  const head = `${method} http://127.0.0.1:${web.port}/outer HTTP/1.1\r\nHost: a\r\n`
  await ask(`${head}Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)
  await ask(`${head}Content-Length: ${inner.length}\r\nConnection: content-length\r\n\r\n${inner}`)
  expect(web.asked.map(({ url, body }) => ({ url, body }))).toEqual([{ url: '/outer', body: inner }, { url: '/outer', body: inner }])
})

it('takes one request a connection', async () => {
  const web = await website()
  const { ask } = await proxyFor([`127.0.0.1:${web.port}`], {})
  for (const version of ['1.1', '1.0']) {
    const one = `GET http://127.0.0.1:${web.port}/ HTTP/${version}\r\nHost: a\r\nConnection: keep-alive\r\n\r\n`
    expect(await ask(one)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
    web.asked.splice(0)
    // A client that sends more at once would have as many connections outside.
    await ask(one.repeat(100)).catch(() => '')
    await ask(`${one}CONNECT 127.0.0.1:${web.port} HTTP/1.1\r\n\r\n${one}`).catch(() => '')
    expect(web.asked.length).toBeLessThanOrEqual(2)
  }
})

it.each([
  ['HTTP/1.1 000 None', 502], ['HTTP/1.1 099 None', 502], ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade', 502], ['nonsense', 502],
  ['HTTP/1.1 200 a\x01b\x7f', 200], ['HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y', 200], ['HTTP/1.1 999 Many', 999],
])('outlives a server that answers %j', async (head, status) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(`${head}\r\n\r\n`, 'latin1'))
  })
  const { ask } = await proxyFor(['127.0.0.1', `127.0.0.1:${await listening(server)}`], {})
  const { port } = server.address() as AddressInfo
  const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n__proto__: x\r\nconstructor: y\r\n\r\n`
  expect(await ask(request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

it('goes to no address of this machine or a private network by a name, whatever the name leads to later', async () => {
  const web = await website()
  let count = 0
  const addresses = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1', '0.0.0.0', '64:ff9b::7f00:1']
  for (const address of addresses) {
    const { ask, proxy } = await proxyFor([`in.example.org:${web.port}`], { 'in.example.org': [address] })
    const denied = proxy.denials.fromNow()
    expect(await ask(`CONNECT in.example.org:${web.port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 [^]*private network/)
    expect(denied()).toEqual([{ host: `in.example.org:${web.port}`, why: 'private' }])
  }
  // The first answer is looked at and connected to: there is no second one.
  const rebinding = await proxyFor([`in.example.org:${web.port}`, `127.0.0.1:${web.port}`], async () => [count++ === 0 ? '127.0.0.1' : '127.0.0.2'])
  expect(await rebinding.ask(`CONNECT in.example.org:${web.port} HTTP/1.1\r\n\r\n`, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/200 OK/)
  expect(count).toBe(1)
  // Of several addresses those alone that may be.
  const mixed = await proxyFor([`in.example.org:${web.port}`, `127.0.0.1:${web.port}`], { 'in.example.org': ['10.0.0.1', '127.0.0.1'] })
  expect(await mixed.ask(`CONNECT in.example.org:${web.port} HTTP/1.1\r\n\r\n`, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/200 OK/)
})

it('says why a host is not reached', async () => {
  const { ask } = await proxyFor(['gone.example.org', '127.0.0.1:1'], {})
  expect(await ask('CONNECT gone.example.org:443 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 [^]*ENOTFOUND/)
  expect(await ask('CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 [^]*ECONNREFUSED/)
  expect(await ask('GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 [^]*ECONNREFUSED/)
})

it('holds a bounded number of clients, and goes on when they have left', async () => {
  const web = await website()
  const { ask, port } = await proxyFor([`127.0.0.1:${web.port}`], {})
  const sockets = Array.from({ length: 1000 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  const closed = sockets.map(closing)
  // What is beyond the bound is closed at once; the others wait, with half a request each.
  for (const socket of sockets) socket.write('GET http://127.0.0.1/ HT')
  await Promise.race(closed)
  let living = Infinity
  while (living > 256) {
    await new Promise(resolve => setImmediate(resolve))
    living = sockets.filter(({ closed: isClosed, destroyed, readableEnded }) => !isClosed && !destroyed && !readableEnded).length
  }
  expect(living).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  let answer = ''
  while (!answer.includes('200')) answer = await ask(`CONNECT 127.0.0.1:${web.port} HTTP/1.1\r\n\r\n`, 'GET / HTTP/1.0\r\n\r\n').catch(() => '')
})

it('ends all connections when it is closed', async () => {
  const held = createServer()
  const server = await listening(held)
  const accepted = once(held, 'connection') as Promise<[Socket]>
  const { port, proxy } = await proxyFor([`127.0.0.1:${server}`], {})
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(`CONNECT 127.0.0.1:${server} HTTP/1.1\r\n\r\n`)
  const [outside] = await accepted
  await once(client, 'data')
  const both = [closing(client), closing(outside.on('error', () => undefined).resume())]
  proxy.close()
  await Promise.all(both)
  expect(await answerOf(port, 'GET http://127.0.0.1/ HTTP/1.1\r\n\r\n').catch(({ code }: NodeJS.ErrnoException) => code)).toBe('ECONNREFUSED')
})

it('remembers a bounded number of hosts', async () => {
  const { ask, proxy } = await proxyFor(['api.example.org'], {})
  const denied = proxy.denials.fromNow()
  for (let count = 0; count < 150; count++) await ask(`CONNECT h${count}.net:443 HTTP/1.1\r\n\r\n`)
  expect(denied().map(({ host }) => host)).toEqual(Array.from({ length: 100 }, (_, index) => `h${index + 50}.net`))
})

it.each([
  ['1.1.1.1', true], ['8.8.8.8', true], ['2606:4700::1111', true], ['10.1.2.3', false], ['172.16.0.1', false], ['172.32.0.1', true], ['192.168.1.1', false],
  ['100.64.0.1', false], ['169.254.169.254', false], ['127.8.8.8', false], ['0.0.0.0', false], ['224.0.0.1', false], ['255.255.255.255', false],
  ['::', false], ['::1', false], ['fe80::1', false], ['fc00::1', false], ['ff02::1', false], ['::ffff:8.8.8.8', false], ['64:ff9b::808:808', false],
  ['2001:0:1::1', false], ['2001:db8::1', false], ['2002:7f00:1::', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected)
})

async function proxyFor(hosts: readonly string[], names: Names | ((host: string) => Promise<readonly string[]>)) {
  const listener = createServer()
  const port = await listening(listener)
  const resolve = typeof names === 'function' ? names : async (host: string) => {
    const found = names[host]
    if (found !== undefined) return found
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  }
  const proxy = new HostProxy(hosts, listener, resolve)
  onTestFinished(() => proxy.close())
  return { proxy, port, ask: async (...parts: readonly string[]) => answerOf(port, ...parts) }
}

/** Resolves also where it ends in an error. */
function closing(socket: Socket): Promise<void> {
  return new Promise(resolve => socket.once('close', () => resolve()))
}

/** What comes back until the connection ends; each part is sent when something came for the one before. */
async function answerOf(port: number, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const answer = text(socket)
  const [first = '', ...others] = parts
  socket.write(first)
  for (const part of others) {
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.write(part)
  }
  return answer
}

interface Asked {
  url: string | undefined
  host: string | undefined
  names: string[]
  body: string
}

/** A server that closes each connection after its answer. */
async function website(): Promise<{ port: number; asked: Asked[] }> {
  const asked: Asked[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    asked.push({ url: request.url, host: request.headers.host, names: Object.keys(request.headers), body })
    response.writeHead(200, { connection: 'close' }).end('hello')
  }
  const server = createHttp((request, response) => void answer(request, response))
  return { port: await listening(server), asked }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}
