import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Agent, type AgentOptions } from '../../src/agent/index.js'
import { eventsOf } from './support/use-agents.js'

type Handler = (response: ServerResponse, request: IncomingMessage, body: unknown) => void | Promise<void>

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const KEY = 'key-of-the-test-0123456789'

/** Servers as nobody should write them: what a model's name gets is a handler of its own. */
const handlers = new Map<string, Handler>()
const server = createServer((request, response) => {
  response.on('error', () => undefined)
  // Looks at what the server says of itself have no body.
  if (request.method !== 'POST') response.writeHead(404).end()
  else void readJson(request).then((body) => handlers.get((body as { model: string }).model)?.(response, request, body))
})
/** Where no request may come. */
const elsewhere = createServer((request, response) => {
  strays.push(`${request.method} ${request.headers.authorization} ${request.headers['x-own']}`)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
const strays: string[] = []

beforeAll(async () => {
  for (const one of [server, elsewhere]) {
    one.keepAliveTimeout = 600_000
    await once(one.listen(0, '127.0.0.1'), 'listening')
  }
})
afterAll(() => {
  for (const one of [server, elsewhere]) {
    one.close()
    one.closeAllConnections()
  }
})

const addressOf = (one: typeof server): string => `http://127.0.0.1:${(one.address() as AddressInfo).port}`

let plays = 0
function agentFor(handler: Handler, options: Partial<AgentOptions> = {}): Agent {
  const model = `odd-${++plays}`
  handlers.set(model, handler)
  return new Agent({
    model, baseURL: `${addressOf(server)}/v1`, apiKey: KEY, root: tempDir(), policy: false, sandbox: 'none',
    gitCommit: false, quiet: true, maxRetries: 0, ...options,
  })
}

const chunk = (delta: object, finish: string | null = null): string => (
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
)
const WHOLE = `${chunk({ content: 'Hi.' })}${chunk({}, 'stop')}data: [DONE]\n\n`

async function failureOf(handler: Handler, options: Partial<AgentOptions> = {}) {
  await using agent = agentFor(handler, options)
  return await agent.chat('Go').then(() => undefined, (error: Error & { code: string; hint: string }) => error)
}

describe('a server that', () => {
  it('only keeps the connection alive for longer than the silence that is allowed is waited for', async () => {
    await using agent = agentFor(async (response) => {
      response.writeHead(200, EVENT_STREAM)
      for (const until = performance.now() + 1100; performance.now() < until; await sleep(25)) response.write(
        ': PROCESSING\n\n',
      )
      response.end(WHOLE)
    }, { timeoutMs: 1000 })
    expect(await agent.chat('Go')).toBe('Hi.')
  })

  it('says nothing at all is not', async () => {
    const failure = await failureOf(
      (response) => void response.writeHead(200, EVENT_STREAM).flushHeaders(), { timeoutMs: 50 },
    )
    expect(failure).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining('silent for 0.05 s') })
  })

  it('sends the text as a list of parts is understood, in a stream and at once', async () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const text = (words: string): object => ({ type: 'text', text: words })
    await using streaming = agentFor((response) => {
      const deltas = [{ content: [thought] }, { content: [text('One'), text(' two')] }, { content: ' three' }]
      response.writeHead(200, EVENT_STREAM).end(`${deltas.map((delta) => chunk(delta)).join('')}${chunk({}, 'stop')}`)
    })
    expect(await streaming.chat('Go')).toBe('One two three')
    expect((await streaming.task()).messages.at(-1)).toMatchObject({ reasoning: 'Hm.' })
    await using whole = agentFor((response) => {
      const message = { role: 'assistant', content: [text('All'), { type: 'image' }, text(' at once')] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message }] }))
    })
    expect(await whole.chat('Go')).toBe('All at once')
  })

  it('refuses in the field for it is heard', async () => {
    await using agent = agentFor((response) => {
      response.writeHead(200, EVENT_STREAM).end(
        `${chunk({ content: null, refusal: 'I will not.' })}${chunk({}, 'stop')}`,
      )
    })
    expect(await agent.chat('Go')).toBe('I will not.')
  })

  it.each([301, 302, 307, 308])('redirects (%i) is not followed: nothing goes elsewhere', async (status) => {
    const failure = await failureOf((response) => {
      response.writeHead(status, { location: `${addressOf(elsewhere)}/v1/chat/completions` }).end()
    }, { headers: { 'x-own': 'secret' } })
    expect(strays).toEqual([])
    expect(failure).toMatchObject({
      code: 'MODEL_FAILED', message: expect.stringContaining(
        `${status}: the server redirects to ${addressOf(elsewhere)}`,
      ),
      hint: expect.stringContaining('base URL'),
    })
  })

  it.each([
    ['as it is', KEY], ['in a header', `Bearer ${KEY}`], ['cut', `${KEY.slice(0, 20)}…`],
    ['in an address', `?k=${encodeURIComponent(KEY)}&x`],
  ])('repeats the key, %s, is not repeated', async (_, said) => {
    const failure = await failureOf((response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end(
        JSON.stringify({ error: { message: `Wrong key: ${said}` } }),
      )
    })
    expect(failure?.message).toContain('401 Wrong key: ')
    expect(failure?.message).not.toContain(KEY.slice(0, 14))
  })

  it('repeats a header of ours is not repeated either, nor in a retry or a type', async () => {
    const secret = 'value-of-a-header-987654'
    let asked = 0
    await using agent = agentFor((response) => {
      if (asked++ > 0) response.writeHead(200, { 'content-type': `text/${secret}` }).end()
      else response.writeHead(500, { 'content-type': 'application/json' }).end(
        JSON.stringify({ error: { message: `No ${secret}` } }),
      )
    }, { headers: { 'x-api-key': secret }, maxRetries: 1, maxRetryWaitMs: 1 })
    const events: unknown[] = []
    const failure: unknown = await (async () => {
      for await (const event of agent.run('Go')) events.push(event)
    })().catch((error: unknown) => error)
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry' }))
    expect(JSON.stringify([events, String(failure)])).not.toContain(secret)
  })

  it('keeps the connection open after the last event is not waited for; else the connection is used again', async () => {
    const sockets = new Set<unknown>()
    await using agent = agentFor((response, { socket }) => {
      response.writeHead(200, EVENT_STREAM).write(WHOLE)
      if (sockets.size > 0) response.end()
      sockets.add(socket)
    })
    // Another may be opened where the last one is not free at once.
    for (let at = 0; at < 5; at++) expect(await agent.chat('Go')).toBe('Hi.')
    expect(sockets.size).toBeLessThan(5)
  })

  it('packs its answer is read', async () => {
    await using agent = agentFor((response) => {
      response.writeHead(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' }).end(gzipSync(WHOLE))
    })
    expect(await agent.chat('Go')).toBe('Hi.')
  })

  const megabyte = 'x'.repeat(1024 * 1024)
  const callChunk = (index: number, id: string, name: string): string => (
    chunk({ tool_calls: [{ index, id, function: { name } }] })
  )
  it.each<[string, Record<string, string>, string, (count: number) => string]>([
    ['an event that never ends', EVENT_STREAM, 'data: ', () => megabyte],
    ['JSON that never ends', { 'content-type': 'application/json' }, '{"choices": "', () => megabyte],
    ['lines of one event that never end', EVENT_STREAM, '', () => `data: ${megabyte}\n`],
    ['long ids of calls', EVENT_STREAM, '', (count) => callChunk(count, `${megabyte}${count}`, 'read_file')],
    ['a name that never ends', EVENT_STREAM, '', (count) => callChunk(0, '', `${count}${megabyte}`)],
  ])('sends %s is left', async (_, headers, begin, more) => {
    let closed: Promise<unknown> | undefined
    const failure = await failureOf(async (response) => {
      closed = once(response, 'close')
      response.writeHead(200, headers).write(begin)
      // Bounded, so that what is not left comes to an end here.
      for (let count = 0; count < 400 && !response.destroyed; count++) {
        if (!response.write(more(count))) await Promise.race([once(response, 'drain'), closed])
      }
      response.end()
    })
    expect(failure).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringMatching(/longer than \d+ MiB/) })
    await closed
  })

  it.each([
    ['less than it said', { ...EVENT_STREAM, 'content-length': '9999' }], ['half an event', EVENT_STREAM],
  ])('sends %s is asked again', async (_, headers) => {
    let asked = 0
    await using agent = agentFor((response) => {
      if (asked++ > 0) return void response.writeHead(200, EVENT_STREAM).end(WHOLE)
      response.writeHead(200, headers).write(chunk({ content: 'Hi' }).slice(0, -9), () => response.destroy())
    }, { maxRetries: 1, maxRetryWaitMs: 1 })
    const events = await eventsOf(agent.run('Go'))
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'end', text: 'Hi.' })
  })

  it('tells of a failure with status 200 is understood, and asked again where that may help', async () => {
    let asked = 0
    await using agent = agentFor((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (asked++ === 0) response.end(JSON.stringify({ error: { code: 502, message: 'The model is overloaded' } }))
      else response.end(JSON.stringify({ choices: [{ message: { content: 'Hi.' } }] }))
    }, { maxRetries: 1, maxRetryWaitMs: 1 })
    const events = await eventsOf(agent.run('Go'))
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', reason: 'The model is overloaded' }))
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'answer', text: 'Hi.' })
  })

  it.each([
    ['says nothing', [chunk({}, 'stop')], 'The model ended its answer without a word'],
    [
      'leaves the answer to a filter', [chunk({ content: 'I was say' }), chunk({}, 'content_filter')],
      'A filter of the server cut the answer off',
    ],
  ])('%s is told of', async (_, chunks, told) => {
    await using agent = agentFor((response) => void response.writeHead(200, EVENT_STREAM).end(chunks.join('')))
    expect(await eventsOf(agent.run('Go'))).toContainEqual({ type: 'notice', text: told })
  })

  it('sends more calls than anybody means is left, and none of them runs', async () => {
    const called = { name: 'write_file', arguments: '{"path":"a","content":"1"}' }
    const calls = Array.from({ length: 1100 }, (_, index) => (
      chunk({ tool_calls: [{ index, id: `c${index}`, function: called }] })
    ))
    const root = tempDir()
    const failure = await failureOf((response) => {
      response.writeHead(200, EVENT_STREAM).end(`${calls.join('')}${chunk({}, 'tool_calls')}`)
    }, { root })
    expect(failure).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining('more than 1000 calls') })
    expect(readTree(root)).toEqual({})
  })

  it('gives calls long names and ids gets short ones back, each call with its own', async () => {
    const bodies: { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] }[] = []
    let asked = 0
    await using agent = agentFor((response, _request, body) => {
      bodies.push(body as (typeof bodies)[number])
      response.writeHead(200, EVENT_STREAM)
      const calls = [0, 1, 2].map((index) => callChunk(index, `${index}${megabyte.slice(index * 100)}`, `${megabyte}${index}`))
      response.end(asked++ > 0 ? WHOLE : `${calls.join('')}${chunk({}, 'tool_calls')}`)
    })
    const events = await eventsOf(agent.run('Go'))
    expect(JSON.stringify(events).length).toBeLessThan(5 * megabyte.length)
    const { messages = [] } = bodies[1] ?? {}
    const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
    expect(ids.map(({ length }) => length)).toEqual(['call_1'.length, megabyte.length - 99, 'call_3'.length])
    expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids)
  })

  it('gives calls odd numbers is understood', async () => {
    const root = tempDir()
    const call = (index: number, path: string): string => {
      const called = { name: 'write_file', arguments: JSON.stringify({ path, content: path }) }
      return chunk({ tool_calls: [{ index, id: path, function: called }] })
    }
    let asked = 0
    await using agent = agentFor((response) => {
      response.writeHead(200, EVENT_STREAM)
      response.end(asked++ > 0 ? WHOLE : `${call(-1, 'a')}${call(1e9, 'b')}${chunk({}, 'tool_calls')}`)
    }, { root })
    expect(await agent.chat('Go')).toBe('Hi.')
    expect(readTree(root)).toEqual({ a: 'a', b: 'b' })
  })

  it.each([
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x0a])], ['null', 'data: null\n\n'],
    ['a list', 'data: [1]\n\n'],
    ['odd fields', 'data: {"choices":{"0":1},"usage":7}\n\ndata: {"choices":[null]}\n\nevent: x\nid: 1\nretry: 0\n\n'],
    ['calls that are none', `${chunk({ tool_calls: [null, 7, { function: 'x' }, { index: -1 }, { index: 1e9 }] })}`],
  ])('sends %s between is listened to', async (_, garbage) => {
    await using agent = agentFor((response) => {
      response.writeHead(200, EVENT_STREAM).write(garbage)
      response.end(WHOLE)
    })
    const events = await eventsOf(agent.run('Go', { signal: AbortSignal.timeout(20_000) }))
    expect(events.filter(({ type }) => type === 'text')).toContainEqual({ type: 'text', text: 'Hi.' })
  })
})
