import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { readTree } from '../../../../../test/support/file-tree.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { Agent, type AgentOptions } from '../../../src/agent/index.js'
import { MODEL_APIS } from '../../../../2-config/src/index.js'
import { endpointOf } from '../../../src/agent/model/endpoint.js'
import { messagesRequest } from '../../../src/agent/model/wire/messages-request.js'
import { responsesRequest } from '../../../src/agent/model/wire/responses-request.js'
import { useModelServer } from '../../adapters/model-server.js'
import type { Turn } from '../../adapters/wire.js'
import { eventsOf } from '../support/use-agents.js'

const KEY = 'key-of-the-test-0123456789'
const NOT_CHAT = MODEL_APIS.filter((api) => api !== 'chat')
const server = useModelServer()
let plays = 0

function agentFor(api: typeof MODEL_APIS[number], turns: readonly Turn[], options: Partial<AgentOptions> = {}) {
  const { model = `${api}-${++plays}`, root = tempDir() } = options
  server.play(model, turns)
  const agent = new Agent({
    api, baseURL: `${server.url}/v1`, apiKey: KEY, root, policy: false, sandbox: 'none', gitCommit: false, quiet: true,
    surroundings: false, maxRetryWaitMs: 20, ...options, model,
  })
  return { agent, model, root }
}

function call(id: string, name: string, args: object): { id: string; name: string; arguments: string } {
  return { id, name, arguments: JSON.stringify(args) }
}

const WRITES: readonly Turn[] = [
  {
    thought: 'First the file.', text: 'I write it.',
    calls: [call('c1', 'write_file', { path: 'a', content: '1' }), call('c2', 'read_file', { path: 'absent' })],
  },
  { thought: 'Now the other.', calls: [call('c3', 'write_file', { path: 'b', content: '2' })] },
  { text: 'Done.' },
]

describe.each(MODEL_APIS)('by %s', (api) => {
  it.each(['streamed', 'whole'])('an answer that comes %s runs its calls', async (how) => {
    const { agent, model, root } = agentFor(api, WRITES, { model: `${how}-${api}` })
    await using _ = agent
    const events = await eventsOf(agent.run('Go'))
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'answer', text: 'Done.' })
    expect(readTree(root)).toEqual({ a: '1', b: '2' })
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('I write it.Done.')
    // The server takes each request as the real service would.
    expect(server.requests(model)).toHaveLength(3)
  })

  it('the task can go on with another message, and by another interface', async () => {
    const { agent, root } = agentFor(api, [{ text: 'One.' }, { text: 'Two.' }])
    await using _ = agent
    expect(await agent.chat('First')).toBe('One.')
    expect(await agent.chat('Second')).toBe('Two.')
    expect(readTree(root)).toEqual({})
  })

  it('a key that the server repeats is not shown', async () => {
    const { agent, model } = agentFor(api, [])
    await using _ = agent
    server.fail(model, [{ status: 401, body: JSON.stringify({ error: { message: `Wrong key: ${KEY}` } }) }])
    await expect(agent.chat('Go')).rejects.toThrow('401 Wrong key: [masked MODEL_API_KEY]')
  })
})

describe.each(NOT_CHAT)('thoughts by %s', (api) => {
  it('are told, kept with the conversation and sent back as they came', async () => {
    const { agent, model } = agentFor(api, WRITES)
    await using _ = agent
    const events = await eventsOf(agent.run('Go'))
    const thoughts = events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : [])).join('')
    expect(thoughts).toContain('First the file.')
    const sent = JSON.stringify(server.requests(model).at(-1))
    expect(sent).toContain(api === 'anthropic' ? '"signature"' : '"encrypted_content":"opaque"')
  })

  it('are not sent to another model', async () => {
    const { agent } = agentFor(api, WRITES)
    await using _ = agent
    await agent.chat('Go')
    agent.model = `other-${api}`
    server.play(agent.model, [{ text: 'A.' }, { text: 'B.' }, { text: 'C.' }, { text: 'Other.' }])
    await agent.chat('Again').catch(() => undefined)
    expect(JSON.stringify(server.requests(agent.model)[0])).not.toMatch(/"signature"|encrypted_content":"opaque/)
  })
})

describe('failures within an answer', () => {
  it.each([
    ['anthropic', 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'],
    ['responses', 'event: response.failed\ndata: {"type":"response.failed","response":{"status":"failed","error":'
      + '{"code":"server_error","message":"Down"}}}\n\n'],
    ['responses', 'event: error\ndata: {"type":"error","code":"server_error","message":"Down"}\n\n'],
    ['anthropic', 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n'],
    ['responses', 'event: response.created\ndata: {"type":"response.created","response":{}}\n\n'],
  ] as const)('of %s: asked again (%s)', async (api, body) => {
    const { agent, model } = agentFor(api, [{ text: 'Here.' }])
    await using _ = agent
    server.fail(model, [{ status: 200, body }])
    const events = await eventsOf(agent.run('Go'))
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ text: 'Here.' })
  })

  it.each(NOT_CHAT)('of %s: an answer that ran into the limit is gone on with', async (api) => {
    const { agent } = agentFor(api, [{ text: 'Half of ', isCut: true }, { text: 'it.' }])
    await using _ = agent
    expect((await eventsOf(agent.run('Go'))).at(-1)).toMatchObject({ reason: 'answer', text: 'Half of it.' })
  })

  it('a server that speaks another interface is told as such', async () => {
    const { agent, model } = agentFor('anthropic', [], { maxRetries: 0 })
    await using _ = agent
    server.fail(model, [{ status: 200, body: 'event: x\ndata: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n' }])
    await expect(agent.chat('Go')).rejects.toMatchObject({ hint: expect.stringContaining('api: chat, responses or anthropic') })
  })

  it('a model of shorter answers is asked for those', async () => {
    const { agent, model } = agentFor('anthropic', [{ text: 'Here.' }])
    await using _ = agent
    const message = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for it'
    server.fail(model, [{ status: 400, body: JSON.stringify({ type: 'error', error: { message } }) }])
    expect(await agent.chat('Go')).toBe('Here.')
    expect(server.requests(model).map((body) => body['max_tokens'])).toEqual([32_000, 8192])
  })

  it('a model that does not think is not asked for encrypted thoughts', async () => {
    const { agent, model } = agentFor('responses', [{ text: 'Here.' }])
    await using _ = agent
    const message = 'Encrypted content is not supported with this model.'
    server.fail(model, [{ status: 400, body: JSON.stringify({ error: { message } }) }])
    expect(await agent.chat('Go')).toBe('Here.')
    expect(server.requests(model).map((body) => 'include' in body)).toEqual([true, false])
  })
})

describe('a request', () => {
  const tool = { type: 'function', function: { name: 'a', description: 'b', parameters: { type: 'object' } } } as const
  const calls = [{ id: 'call.1', type: 'function', function: { name: 'a', arguments: '{"x":1}' } }] as const
  const settings = { maxTokens: 7, temperature: 0, reasoningEffort: 'low' }
  const asked = {
    model: 'm', tools: [tool], messages: [
      { role: 'system', content: 's' }, { role: 'user', content: 'u' },
      {
        role: 'assistant', content: 'Said.', tool_calls: [...calls],
        thoughts: { api: 'anthropic', model: 'm', parts: [{ type: 'thinking', thinking: 't', signature: 'S' }, 'text', 'call'] },
      },
      { role: 'tool', tool_call_id: 'call.1', content: 'result' }, { role: 'user', content: 'steered' },
    ],
  } satisfies Parameters<typeof messagesRequest>[0]

  it('by messages has the shape of Anthropic’s client, with marks for the cache', () => {
    // The assignment is the check: `tsc` holds our shape against the client's.
    const body: Omit<ReturnType<typeof messagesRequest>, 'messages' | 'output_config'>
      & Pick<Anthropic.MessageCreateParamsStreaming, 'model' | 'max_tokens' | 'stream'> = messagesRequest(asked, settings)
    const rest: Omit<Anthropic.MessageCreateParamsStreaming, 'messages' | 'output_config'> = body
    expect(rest).toEqual({
      model: 'm', max_tokens: 7, stream: true, temperature: 0, thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' }, tools: [{ name: 'a', description: 'b', input_schema: { type: 'object' } }],
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'u' }] },
        {
          role: 'assistant', content: [
            { type: 'thinking', thinking: 't', signature: 'S' }, { type: 'text', text: 'Said.' },
            { type: 'tool_use', id: 'call_1', name: 'a', input: { x: 1 }, cache_control: { type: 'ephemeral' } },
          ],
        },
        {
          role: 'user', content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'result' },
            { type: 'text', text: 'steered', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    })
  })

  it('by responses has the shape of OpenAI’s client, and leaves nothing at the server', () => {
    const body: Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'reasoning' | 'input'> = responsesRequest(asked, settings)
    expect(body).toEqual({
      model: 'm', instructions: 's', stream: true, store: false, include: ['reasoning.encrypted_content'],
      max_output_tokens: 7, temperature: 0, reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', name: 'a', description: 'b', parameters: { type: 'object' }, strict: false }],
      input: [
        { role: 'user', content: 'u' }, { role: 'assistant', content: 'Said.' },
        { type: 'function_call', call_id: 'call.1', name: 'a', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'call.1', output: 'result' }, { role: 'user', content: 'steered' },
      ],
    })
  })
})

describe('the place of a model', () => {
  it('is Anthropic’s own for its interface, and its key goes nowhere else', () => {
    const env = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'http://own/v1' }
    expect(endpointOf({ api: 'anthropic' }, env)).toMatchObject({
      baseURL: 'https://api.anthropic.com/v1', api: 'anthropic', apiKey: 'a',
    })
    expect(endpointOf({ baseURL: 'https://api.anthropic.com/v1' }, env)).toMatchObject({ api: 'anthropic', apiKey: 'a' })
    expect(endpointOf({ api: 'anthropic', baseURL: 'http://other/v1' }, env)).toMatchObject({ apiKey: 'none' })
    expect(endpointOf({}, env)).toMatchObject({ baseURL: 'http://own/v1', api: 'chat', apiKey: 'o' })
  })
})
