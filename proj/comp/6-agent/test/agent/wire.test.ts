import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readAnswer, say, type ScriptedAnswer } from './support/script.js'
import { eventsOf, useAgents } from './support/use-agents.js'

const { server, agentFor } = useAgents()

function deltas(...list: object[]): ScriptedAnswer {
  return { ...say(''), deltas: list, finish: 'tool_calls' }
}

function piece(index: number | undefined, id: string | undefined, name: string | undefined, args: unknown): object {
  const called = { ...(name && { name }), arguments: args }
  return { tool_calls: [{ ...(index !== undefined && { index }), ...(id && { id }), function: called }] }
}

describe('calls as servers send them', () => {
  const [a, b] = ['{"path": "a", "content": "1"}', '{"path": "b", "content": "2"}']
  it.each([
    ['all with index 0', [piece(0, 'x', 'write_file', a), piece(0, 'y', 'write_file', b)]],
    ['without an index', [piece(undefined, 'x', 'write_file', a), piece(undefined, 'y', 'write_file', b)]],
    ['with one id', [piece(0, 'x', 'write_file', a), piece(1, 'x', 'write_file', b)]],
    ['with index 0, in pieces', [
      piece(0, 'x', 'write_file', a.slice(0, 7)), piece(0, undefined, undefined, a.slice(7)),
      piece(0, 'y', 'write_file', b.slice(0, 7)), piece(0, undefined, undefined, b.slice(7)),
    ]],
    ['mixed, character by character', [
      piece(0, 'x', 'write_file', ''), piece(1, 'y', 'write_file', ''),
      ...[...a].flatMap((char, at) => [piece(0, undefined, undefined, char), piece(1, undefined, undefined, b[at])]),
    ]],
    ['with a new id for each piece', [
      piece(0, 'x', 'write_file', a.slice(0, 7)), piece(0, 'x2', undefined, a.slice(7)),
      piece(1, 'y', 'write_file', b.slice(0, 7)), piece(1, 'y2', undefined, b.slice(7)),
    ]],
    ['with arguments as an object', [piece(0, 'x', 'write_file', JSON.parse(a)), piece(
      1, 'y', 'write_file', JSON.parse(b),
    )]],
  ])('%s', async (_, list) => {
    const { agent, root } = agentFor([deltas(...list), say('Done.')])
    await using _agent = agent
    expect(await agent.chat('Go')).toBe('Done.')
    expect(readTree(root)).toEqual({ a: '1', b: '2' })
  })

  it.each([
    ['an unknown name that no server takes back', 'functions.write file!', '{}'],
    ['a name much too long', 'x'.repeat(300), '{}'],
    ['no name', '', '{}'],
    ['arguments that are no JSON', 'write_file', '{"path": "a", "content": "un"quoted"}'],
    ['arguments that are a list', 'write_file', '["a", "1"]'],
  ])('with %s: answered, and the conversation can go on', async (_, name, args) => {
    const { agent, model, root } = agentFor([deltas(piece(0, 'x', name, args)), say('Sorry.'), say('Yes.')])
    await using _agent = agent
    expect(await agent.chat('Go')).toBe('Sorry.')
    expect(await agent.chat('Go on')).toBe('Yes.')
    expect(server.requests(model)[1]?.messages.at(-1)?.content).toContain('"success":false')
    expect(readTree(root)).toEqual({})
  })
})

describe('limits', () => {
  it('cut outputs of the last answer that are too much at once', async () => {
    const root = tempDir()
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) writeFileSync(join(root, name), `${name} `.repeat(12_000))
    const all = say('', ...names.map((path): [string, Record<string, unknown>] => ['read_file', { path }]))
    const { agent, model } = agentFor([{ ...all, usage: undefined as never }, say('Read.')], {
      root, contextWindow: 16_000, maxTokens: 1000, enabledToolsets: ['core'],
    })
    await using _ = agent
    expect((await eventsOf(agent.run('Read all'))).at(-1)).toMatchObject({ reason: 'answer' })
    const { messages = [] } = server.requests(model).at(-1) ?? {}
    expect(JSON.stringify(messages).length / 4).toBeLessThan(15_000)
    expect(messages.slice(-4).map(({ content }) => content)).toEqual(
      names.map((name) => expect.stringContaining(`${name} ${name} ${name}`)),
    )
  })

  it('take no wait of nothing as a wish to be asked at once', async () => {
    const refused = { ...readAnswer('answer status=429', 'Limit'), headers: { 'retry-after': '0' } }
    await using agent = agentFor([refused, say('Done.')]).agent
    const [retry] = (await eventsOf(agent.run('Go'))).filter(({ type }) => type === 'retry')
    expect(retry).toMatchObject({ waitMs: expect.toSatisfy((ms: number) => ms > 0) })
  })
})

describe('what was read before', () => {
  it('has its own price', async () => {
    const cached = { ...say('Hi.'), usage: { input: 1000, output: 100, cached: 800 } }
    await using agent = agentFor([cached], { price: { input: 3, output: 15, cached: 0.3 } }).agent
    const [usage] = (await eventsOf(agent.run('Go'))).filter((event) => event.type === 'usage')
    expect(usage).toMatchObject({ input: 1000, cached: 800, total: { cached: 800 } })
    expect(usage?.cost).toBeCloseTo((200 * 3 + 800 * 0.3 + 100 * 15) / 1e6, 12)
  })
})
