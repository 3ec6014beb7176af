import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OpenAI } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Agent, type AgentOptions } from '../../src/agent/index.js'
import { chatRequest } from '../../src/agent/model/wire/chat-request.js'
import { refusal, ServerError } from '../../src/agent/model/server-error.js'
import { unreachedHint } from '../../src/agent/model/server-unreached.js'

interface Seen {
  url: string | undefined
  headers: IncomingHttpHeaders
}

const KEY = 'key-of-the-test-0123456789'
const DONE = { choices: [{ message: { role: 'assistant', content: 'Hi.' } }] }
const seen: Seen[] = []
let answer: (response: ServerResponse) => void
const server = createServer((request, response) => {
  seen.push({ url: request.url, headers: request.headers })
  request.resume().once('end', () => answer(response))
})
let base = ''

beforeAll(async () => {
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
beforeEach(() => {
  seen.length = 0
  answer = (response) => sendJson(response, 200, DONE)
  for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY']) vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}

function agentWith(options: Partial<AgentOptions> = {}): Agent {
  return new Agent({
    model: 'm', baseURL: base, apiKey: KEY, root: tempDir(), policy: false, sandbox: 'none', gitCommit: false,
    quiet: true, maxRetries: 0, ...options,
  })
}

/** What the server gets of one question. */
async function asked(options: Partial<AgentOptions> = {}): Promise<Seen> {
  await using agent = agentWith(options)
  expect(await agent.chat('Go')).toBe('Hi.')
  return seen[0]!
}

describe('a request', () => {
  it('has the shape that OpenAI’s client sends', () => {
    const call = { id: 'c', type: 'function', function: { name: 'write_file', arguments: '{}' } } as const
    const called = { name: 'a', description: 'b', parameters: { type: 'object' } } as const
    const tool = { type: 'function', function: called } as const
    // The assignment is the check: `tsc` holds our shape against the client's.
    const body: Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'reasoning_effort'> = chatRequest({
      model: 'm', tools: [tool], messages: [
        { role: 'system', content: 's' }, { role: 'user', content: 'u' },
        { role: 'assistant', content: null, reasoning: 'r', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 't' },
      ],
    }, { maxTokens: 7, temperature: 0 })
    expect(body).toEqual({
      model: 'm', stream: true, stream_options: { include_usage: true }, tools: [tool], max_tokens: 7, temperature: 0,
      messages: [
        { role: 'system', content: 's' }, { role: 'user', content: 'u' },
        { role: 'assistant', content: null, reasoning_content: 'r', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 't' },
      ],
    })
  })

  it('asks for nothing that is not wished', () => {
    expect(chatRequest({ model: 'm', messages: [] }, {}, { usage: true })).toEqual({
      model: 'm', messages: [], stream: true,
    })
  })

  it.each([
    ['', '/v1/chat/completions'], ['/', '/v1/chat/completions'], ['?version=1', '/v1/chat/completions?version=1'],
  ])('to a base URL with %j at its end goes to %s', async (end, url) => {
    expect((await asked({ baseURL: `${base}${end}` })).url).toBe(url)
  })

  it('has the key and says who asks; of other headers, only what fetch adds', async () => {
    const { headers } = await asked()
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`, accept: 'application/json', 'content-type': 'application/json',
      'user-agent': 'hermes',
    })
    const names = Object.keys(headers).filter((name) => !/^(?:host|connection|content-length|accept-|sec-)/.test(name))
    expect(names.toSorted()).toEqual(['accept', 'authorization', 'content-type', 'user-agent'])
  })

  it('takes the user’s headers instead, in whatever case, but for the type of its body', async () => {
    const { headers } = await asked({
      headers: { AUTHORIZATION: 'Mine', 'user-agent': 'me', 'Content-Type': 'text/plain', 'X-Own': 'own' },
    })
    expect(headers).toMatchObject({
      authorization: 'Mine', 'user-agent': 'me', 'content-type': 'application/json', 'x-own': 'own',
    })
  })
})

describe('headers of OPENAI_CUSTOM_HEADERS', () => {
  beforeEach(() => {
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Org: org-of-the-test-1234\nno header\nAuthorization: Env 1\nX-More: env: 1')
  })

  it('go to the address of the environment; the user’s own come before them', async () => {
    vi.stubEnv('OPENAI_BASE_URL', base)
    expect((await asked({ headers: { 'x-org': 'own' } })).headers).toMatchObject({
      authorization: 'Env 1', 'x-org': 'own', 'x-more': 'env: 1',
    })
  })

  it('go nowhere else, and take nothing away there', async () => {
    const { headers } = await asked()
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}` })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^x-/)]))
  })

  it('are not repeated where the server repeats them', async () => {
    vi.stubEnv('OPENAI_BASE_URL', base)
    answer = (response) => sendJson(response, 401, { error: { message: 'Unknown: org-of-the-test-1234' } })
    await using agent = agentWith()
    const failure: unknown = await agent.chat('Go').catch((error: unknown) => error)
    expect(String(failure)).toContain('401 Unknown: ')
    expect(String(failure)).not.toContain('org-of-the-test')
  })
})

/** As OpenAI's client words them: what reads these messages (too long, no credit) was written for those. */
describe('the words of a refusal', () => {
  it.each([
    ['{"error":{"message":"Wrong","code":"bad_key"}}', '400 Wrong'],
    ['\u{feff}{"error":{"message":"Wrong"}}', '400 Wrong'],
    ['{"error":{"message":{"a":1}}}', '400 {"a":1}'],
    ['{"error":{"message":"","type":"x"}}', '400 {"message":"","type":"x"}'],
    ['{"error":"Wrong"}', '400 "Wrong"'],
    ['{"error":null}', '400 status code (no body)'],
    ['{"detail":"Wrong"}', '400 status code (no body)'],
    ['[1]', '400 status code (no body)'],
    ['null', '400 null'],
    ['', '400 status code (no body)'],
    ['<b>Wrong</b>', '400 <b>Wrong</b>'],
  ])('of %s', async (body, message) => {
    answer = (response) => void response.writeHead(400).end(body)
    await using agent = agentWith()
    await expect(agent.chat('Go')).rejects.toThrow(`The model's server failed: ${message}`)
    const client = new OpenAI({ baseURL: base, apiKey: KEY, maxRetries: 0 })
    await expect(client.chat.completions.create({ model: 'm', messages: [] })).rejects.toMatchObject({ message })
  })

  it('come with its code and headers', () => {
    const headers = new Headers({ 'retry-after': '1' })
    const error = refusal(429, '{"error":{"message":"Slow down","code":"rate_limit"}}', headers)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ status: 429, code: 'rate_limit', headers, message: '429 Slow down' })
    expect(refusal(400, '{"object":"error","message":"No tools","code":400}', headers).message).toBe('400 No tools')
  })
})

const PLACE = 'the base URL, which usually ends in /v1, and the api that it speaks: chat, responses or anthropic.'

describe('at a wrong address', () => {
  it.each<[number, string, string, string, string]>([
    [
      404, 'text/html', '<!DOCTYPE html>\n<html><head><title>Not  Found\n</title></head><body>…</body></html>',
      '404 a page of HTML: Not Found', `Check the name of the model, ${PLACE}`,
    ],
    [404, 'application/json', '{"detail":"Not Found"}', '404 status code (no body)', `Check the name of the model, ${PLACE}`],
    [405, 'text/html', '<html><h1>Method</h1></html>', '405 a page of HTML: Method', `Check the name of the model, ${PLACE}`],
    [400, 'text/html', '<html></html>', '400 a page of HTML', `The server does not take the request: check ${PLACE}`],
    [422, 'application/json', '{"error":{"message":"input: field required"}}', '422 input: field required', `check ${PLACE}`],
    [400, 'application/json', '{"error":{"message":"Your credit balance is too low"}}', '400 Your credit balance is too low', 'has no credit left'],
    [400, 'application/json', '{"error":{"message":"It was flagged"}}', '400 It was flagged', 'does not take this text'],
    [200, 'text/html', '<html></html>', 'The server answered with text/html', `Check ${PLACE}`],
    [502, 'text/html', '<html><title>502 Bad Gateway</title></html>', '502 a page of HTML: 502 Bad Gateway', 'Try again later'],
  ])('%i with %s is one line, with what to do: %s', async (status, type, body, reason, hint) => {
    answer = (response) => void response.writeHead(status, { 'content-type': type }).end(body)
    await using agent = agentWith()
    await expect(agent.chat('Go')).rejects.toMatchObject({
      message: `The model's server failed: ${reason}`, hint: expect.stringContaining(hint),
    })
  })

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:9', 'Nothing listens at that host and port: start the server, or check the base URL.'],
    ['getaddrinfo ENOTFOUND no.invalid', 'The name of the host is not found'],
    ['EPROTO: ssl3_get_record:wrong version number', 'check http or https'], ['self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
    ['bad port', 'check the base URL'],
  ])('%s says what to look at', (said, hint) => {
    expect(unreachedHint(said)).toContain(hint)
  })

  it.each(['other side closed', 'terminated: ECONNRESET', ''])('%j may be anything', (said) => {
    expect(unreachedHint(said)).toBeUndefined()
  })
})

describe('without an answer', () => {
  it('the reason names what failed, and the hint what to do', async () => {
    const gone = createServer()
    await once(gone.listen(0, '127.0.0.1'), 'listening')
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    await using agent = agentWith({ baseURL: `http://127.0.0.1:${port}/v1` })
    await expect(agent.chat('Go')).rejects.toMatchObject({
      message: `The model's server failed: The connection failed: connect ECONNREFUSED 127.0.0.1:${port}`,
      hint: expect.stringContaining('Nothing listens at that host and port'),
    })
  })

  it('a server that never begins is silent', async () => {
    answer = () => undefined
    await using agent = agentWith({ timeoutMs: 50 })
    await expect(agent.chat('Go')).rejects.toThrow('The server was silent for 0.05 s')
  })
})
