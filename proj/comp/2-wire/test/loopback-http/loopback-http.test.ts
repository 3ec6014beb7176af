import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createToken, readListenAddress, serveLoopback, type HttpServer } from '../../src/loopback-http/index.js'

const token = createToken()
const handled: string[] = []
let server: HttpServer

beforeAll(async () => {
  server = await serveLoopback({
    address: readListenAddress('0'), token, maxBodyBytes: 1000, receiveTimeoutMs: 300,
    handle({ request, response, body, url }) {
      handled.push(`${request.method} ${url.pathname}`)
      if (url.pathname === '/throws') throw new Error('secret of the inside')
      response.end(body)
    },
  })
})
afterAll(() => server.close())

interface Asked {
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Plain HTTP: `fetch` sets Host and Origin itself. */
async function ask({ path = '/', headers = {}, body }: Asked): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port: server.port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, host: `127.0.0.1:${server.port}`, ...headers },
    }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

it('hands on a request with the right token, by each name of this machine', async () => {
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    expect(await ask({ body: 'hello', headers: { host: `${name}:${server.port}` } })).toEqual({ status: 200, text: 'hello' })
  }
  expect(await ask({ headers: { origin: `http://localhost:${server.port}` } })).toMatchObject({ status: 200 })
})

it.each([
  ['no token', { authorization: '' }, 401, 'UNAUTHORIZED'],
  ['a wrong token', { authorization: `Bearer ${createToken()}` }, 401, 'UNAUTHORIZED'],
  ['a part of the token', { authorization: `Bearer ${token.slice(0, -1)}` }, 401, 'UNAUTHORIZED'],
  ['the token by another scheme', { authorization: `Basic ${token}` }, 401, 'UNAUTHORIZED'],
  ['the page of another site', { origin: 'https://evil.example' }, 403, 'FORBIDDEN_ORIGIN'],
  ['a page of another local server', { origin: 'http://localhost:1' }, 403, 'FORBIDDEN_ORIGIN'],
  ['a page without origin', { origin: 'null' }, 403, 'FORBIDDEN_ORIGIN'],
  ['a name that was bound anew', { host: 'evil.example' }, 403, 'FORBIDDEN_HOST'],
  ['such a name with the port', { host: 'evil.example:PORT' }, 403, 'FORBIDDEN_HOST'],
  ['a name that begins like ours', { host: 'localhost.evil.example:PORT' }, 403, 'FORBIDDEN_HOST'],
  ['another port', { host: 'localhost:1' }, 403, 'FORBIDDEN_HOST'],
])('refuses %s, and nothing is handled', async (_, headers, status, code) => {
  const before = handled.length
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', `${server.port}`)]))
  const answer = await ask({ headers: filled, body: '{}' })
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code } })
  expect(answer.text).not.toContain(token)
  expect(handled).toHaveLength(before)
})

it('refuses a body that is too large, told beforehand or not', async () => {
  const before = handled.length
  expect(await ask({ body: 'x'.repeat(1001) })).toMatchObject({ status: 413 })
  const socket = await open()
  socket.write(`${head('POST')}Transfer-Encoding: chunked\r\n\r\n`)
  for (let i = 0; i < 4; i++) socket.write(`190\r\n${'x'.repeat(400)}\r\n`)
  expect(await everything(socket)).toMatch(/^HTTP\/1\.1 413 /)
  expect(handled).toHaveLength(before)
})

it('ends requests that come too slowly: head, and body', async () => {
  const before = handled.length
  const slowHead = await open()
  slowHead.write('POST / HTTP/1.1\r\nHost: ')
  const slowBody = await open()
  slowBody.write(`${head('POST')}Content-Length: 100\r\n\r\n{`)
  expect(await Promise.all([everything(slowHead), everything(slowBody)])).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 408 /), expect.stringMatching(/^(?:HTTP\/1\.1 408 |$)/),
  ])
  expect(handled).toHaveLength(before)
})

it('tells nothing of a failure, and serves on', async () => {
  const failed = await ask({ path: '/throws' })
  expect(failed.status).toBe(500)
  expect(failed.text).not.toContain('secret')
  expect(await ask({ body: 'on' })).toEqual({ status: 200, text: 'on' })
})

it.each(['0.0.0.0:80', '192.168.1.1:80', 'example.com:80', '[::]:80', '127.0.0.1:70000', '127.0.0.1', 'abc', ''])(
  'does not listen on %j', (text) => {
    expect(() => readListenAddress(text)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  },
)

it('says when the port is taken', async () => {
  const again = serveLoopback({ address: { host: '127.0.0.1', port: server.port }, token, maxBodyBytes: 1, handle: () => undefined })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE', hint: expect.stringContaining('another port') as string })
})

function head(method: string): string {
  return `${method} / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\n`
}

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function everything(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
