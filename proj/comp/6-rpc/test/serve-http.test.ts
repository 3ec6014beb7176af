import { request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { serveHttp } from '../src/index.js'
import { FOREVER, isAlive, listening, pidOf, toolCall } from './clients.js'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const TOKEN = 'secret-of-the-test'
const WRITE = { jsonrpc: '2.0', id: 9, method: 'verb/execute', params: { verb: 'fs.writeFile', arguments: { path: 'evil', content: 'x' } } }
const cli = useCli()
const stop = new AbortController()
let root = ''
let url = ''
let served: Promise<void> | undefined

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-http-')))
  url = await new Promise<string>((resolve, reject) => {
    served = serveHttp(
      { settings: { root, policy: false, sandbox: 'none' }, bounded: true, version: '1', log: () => undefined, signal: stop.signal },
      { address: { host: '127.0.0.1', port: 0 }, token: TOKEN, receiveTimeoutMs: 300, onListening: resolve },
    )
    served.catch(reject)
  })
})
afterAll(async () => {
  stop.abort()
  await served
  removeSync(root)
})

describe('is refused, and no verb runs', () => {
  it.each([
    ['no token', { authorization: '' }, 401], ['a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403], ['a Host that was rebound', { host: 'evil.example' }, 403],
    ['an unknown session', { 'hermes-session': 'guessed' }, 404],
  ] as const)('%s', async (_, headers, status) => {
    const answer = await raw(JSON.stringify(WRITE), { ...headers })
    expect(answer.status).toBe(status)
    expect(existsSync(join(root, 'evil'))).toBe(false)
  })

  it('a body that is too large', async () => {
    const answer = await raw('', { 'content-length': '64000000' }).catch(() => ({ status: 413 }))
    expect(answer.status).toBe(413)
  })

  it('a request that trickles in', async () => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`POST /rpc HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 100\r\n\r\n{`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).not.toContain(' 200 ')
  })

  it('another method, another path, no JSON, a batch, a request before initialize', async () => {
    expect((await post(undefined, undefined, { method: 'GET' })).status).toBe(405)
    expect((await fetch(new URL('/', url), { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(404)
    expect(await (await post('{')).json()).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await (await post([WRITE])).json()).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await (await post(WRITE)).json()).toMatchObject({ id: 9, error: { code: -32002 } })
    expect((await post({ jsonrpc: '2.0', method: 'exit' })).status).toBe(400)
    expect((await raw('{}', {}, '////')).status).toBe(404)
    expect(existsSync(join(root, 'evil'))).toBe(false)
  })
})

it('answers as JSON, or streams what happens and asks in between', async () => {
  const session = await open({ approvals: true })
  await post(call(2, 'verb/execute', { verb: 'fs.writeFile', arguments: { path: 'a.txt', content: 'x' } }), session)
  const text = toolCall('delete_file', { path: 'a.txt' })
  expect(await (await post(call(3, 'execute', { text }), session)).json()).toMatchObject({ id: 3, result: { results: [{ code: 'APPROVAL_DENIED' }] } })
  const messages: Record<string, unknown>[] = []
  for await (const message of streamOf(await post(call(4, 'execute', { text }), session, { accept: 'text/event-stream' }))) {
    messages.push(message)
    if (message['method'] !== 'approval/request') continue
    expect((await post({ jsonrpc: '2.0', id: message['id'], result: { answer: 'once' } }, session)).status).toBe(202)
  }
  expect(messages.map(({ method }) => method)).toEqual(['execute/event', 'approval/request', 'execute/event', undefined])
  expect(messages.at(-1)).toMatchObject({ id: 4, result: { success: true } })
  expect((await post(undefined, session, { method: 'DELETE' })).status).toBe(204)
  expect((await post(WRITE, session)).status).toBe(404)
})

it('shows its methods to a client without a session, and answers by ids that no number of JavaScript is', async () => {
  const shown = await post(call(1, 'rpc.discover', {}))
  expect(await shown.json()).toMatchObject({ id: 1, result: { openrpc: '1.3.2', info: { title: 'hermes serve' } } })
  expect(shown.headers.get('hermes-session')).toBeNull()
  expect(await (await post(call(2, 'rpc.discover', { all: true }))).json()).toMatchObject({ id: 2, error: { code: -32602 } })
  const session = await open({})
  const large = '{"jsonrpc":"2.0","id":9007199254740993,"method":"parse","params":{"text":""}}'
  expect(await (await post(large, session)).text()).toMatch(/^\{"jsonrpc":"2\.0","id":9007199254740993,"result":/)
  const streamed = await post(large.replace('parse', 'execute'), session, { accept: 'text/event-stream' })
  expect(await streamed.text()).toMatch(/^data: \{"jsonrpc":"2\.0","id":9007199254740993,"result":/)
})

it.skipIf(process.platform === 'win32')('ends what runs when it is cancelled, and when the client leaves', async () => {
  const session = await open({})
  const running = post(call(1, 'execute', { text: FOREVER }), session)
  const pid = await pidOf(join(root, 'pid'))
  await post({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } }, session)
  expect(await (await running).json()).toMatchObject({ result: { results: [{ code: 'CANCELLED' }] } })
  expect(isAlive(pid)).toBe(false)
  rmSync(join(root, 'pid'))
  const leaving = new AbortController()
  const left = post(call(2, 'execute', { text: FOREVER }), session, { signal: leaving.signal }).catch(() => undefined)
  const other = await pidOf(join(root, 'pid'))
  leaving.abort()
  await left
  // Its turn comes when the run before it has ended.
  await post(call(3, 'verb/execute', { verb: 'fs.writeFile', arguments: { path: 'b', content: '' } }), session)
  expect(isAlive(other)).toBe(false)
})

it.skipIf(process.platform === 'win32')('prints its token once, or keeps it in a file of the owner', async () => {
  const [cwd, own] = [tempDir(), tempDir()]
  const [file, notes] = [join(own, 'token'), join(own, 'notes')]
  const printed = await listening(cli, cwd, ['--http', '127.0.0.1:0'])
  expect(printed.line).toMatch(/^hermes: listening at http:\/\/127\.0\.0\.1:\d+\/rpc, token [\w-]{43}\n$/)
  const kept = await listening(cli, cwd, ['--http', '127.0.0.1:0', '--token-file', file])
  expect(kept.line).toMatch(/^hermes: listening at http:\/\/127\.0\.0\.1:\d+\/rpc\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const token = readFileSync(file, 'utf8').trim()
  const [, address = ''] = /at (\S+)/.exec(kept.line) ?? []
  const answer = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(call(1, 'initialize', {})) })
  expect(await answer.json()).toMatchObject({ result: { workspaceRoot: cwd } })
  expect(await cli.run(['serve', '--http', '0.0.0.0:1'], { cwd })).toMatchObject({ exitCode: 2 })
  const port = new URL(address).port
  // One that cannot listen takes no place.
  expect(await cli.run(['serve', '--http', `127.0.0.1:${port}`, '--token-file', file], { cwd })).toMatchObject({ exitCode: 2 })
  expect(readFileSync(file, 'utf8').trim()).toBe(token)
  writeFileSync(notes, 'mine')
  for (const command of ['serve', 'mcp']) {
    const refused = await cli.run([command, '--http', '127.0.0.1:0', '--token-file', notes], { cwd })
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('notes is there, and holds no token') as string })
  }
  expect(readFileSync(notes, 'utf8')).toBe('mine')
  kept.child.kill('SIGTERM')
  await once(kept.child, 'exit')
  expect(existsSync(file)).toBe(false)
})

function call(id: number, method: string, params: object): object {
  return { jsonrpc: '2.0', id, method, params }
}

async function open(capabilities: object): Promise<string> {
  const answer = await post(call(0, 'initialize', { capabilities }))
  expect(await answer.json()).toMatchObject({ result: { workspaceRoot: root } })
  return answer.headers.get('hermes-session') ?? ''
}

function post(body?: unknown, session?: string, own: { method?: string; accept?: string; signal?: AbortSignal } = {}): Promise<Response> {
  const { method = 'POST', accept = 'application/json', signal } = own
  return fetch(url, {
    method, ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }), ...(signal && { signal }),
    headers: { authorization: `Bearer ${TOKEN}`, accept, ...(session !== undefined && { 'hermes-session': session }) },
  })
}

/** With headers that `fetch` would not send. */
function raw(body: string, headers: Record<string, string>, path = '/rpc'): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${TOKEN}`, ...headers }
    const request = httpRequest(url, { path, method: 'POST', headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')) }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    request.on('error', reject)
    if ('content-length' in headers) request.flushHeaders()
    else request.end(body)
  })
}

async function* streamOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString()
    const parts = rest.split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as Record<string, unknown>
  }
}
