import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/index.js'
import { say, type ScriptedAnswer } from './support/script.js'
import { eventsOf, useAgents } from './support/use-agents.js'

const { server, agentFor } = useAgents()

type Call = [name: string, args: Record<string, unknown>]

const READ: Call = ['read_file', { path: 'a' }]
const LIST: Call = ['list_directory', { path: '.' }]
const TOLD = /This call gave the same \d times/
const styles = ['native', 'blocks'] as const

/** One answer with these calls, in the style. */
function calls(style: typeof styles[number], ...all: Call[]): ScriptedAnswer {
  if (style === 'native') return say('', ...all)
  return say(all.map(([name, args]) => (
    `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
  )).join(''))
}

function endOf(events: readonly AgentEvent[]): AgentEvent | undefined {
  return events.find(({ type }) => type === 'end')
}

/** The requests whose last messages tell the model of a loop, by their number from 1. */
function toldIn(model: string): number[] {
  return server.requests(model).flatMap(({ messages }, index) => {
    const at = messages.findLastIndex(({ role }) => role === 'assistant')
    return messages.slice(at + 1).some(({ content }) => TOLD.test(content ?? '')) ? [index + 1] : []
  })
}

describe.each(styles)('the same call with the same result (%s)', (style) => {
  it('is told to the model the third time, and ends the turn the fifth', async () => {
    const { agent, model, root } = agentFor(Array.from({ length: 20 }, () => calls(style, READ)), { style })
    await using _ = agent
    writeFileSync(join(root, 'a'), 'text\n')
    const events = await eventsOf(agent.run('Go'))
    expect(endOf(events)).toMatchObject({ type: 'end', reason: 'loop' })
    expect(events.filter(({ type }) => type === 'turn_start')).toHaveLength(5)
    expect(toldIn(model)).toEqual([4, 5])
    expect((await agent.task()).messages.at(-1)?.content).toContain('This call gave the same 5 times')
    // A message of the user begins anew.
    server.play(model, [...Array.from({ length: 5 }, () => say('')), calls(style, READ), calls(style, READ), say('Read.')])
    expect(endOf(await eventsOf(agent.run('Again')))).toMatchObject({ reason: 'answer', text: 'Read.' })
  })

  it('is a loop beside another such call, too, failed or not', async () => {
    const turn = [calls(style, READ), calls(style, LIST)]
    const { agent } = agentFor(Array.from({ length: 10 }, () => turn).flat(), { style })
    await using _ = agent
    const events = await eventsOf(agent.run('Go'))
    expect(endOf(events)).toMatchObject({ reason: 'loop' })
    expect(events.filter(({ type }) => type === 'turn_start')).toHaveLength(9)
  })

  it('is none where another result comes between, or something was changed', async () => {
    const { agent, model, root } = agentFor([], { style, maxTurns: 30 })
    await using _ = agent
    writeFileSync(join(root, 'a'), 'text\n')
    server.improvise(model, (_request, index) => {
      if (index === 20) return say('Done.')
      if (index % 2 === 0) return calls(style, READ)
      return calls(style, ['write_file', { path: 'b', content: String(index) }])
    })
    expect(endOf(await eventsOf(agent.run('Go')))).toMatchObject({ reason: 'answer' })
    expect(toldIn(model)).toEqual([])
  })

  it('is one where the same changes come again and again', async () => {
    const edits = ['one', 'two'].map((content) => calls(style, ['write_file', { path: 'a', content }]))
    const { agent } = agentFor(Array.from({ length: 10 }, () => edits).flat(), { style })
    await using _ = agent
    expect(endOf(await eventsOf(agent.run('Go')))).toMatchObject({ reason: 'loop' })
  })

  it('is none where what it gave was left out to save room', async () => {
    const files = ['a', 'b', 'c'].map((path) => calls(style, ['read_file', { path }]))
    const { agent, model, root } = agentFor([], { style, contextWindow: 30_000, maxTokens: 500, maxTurns: 40 })
    await using _ = agent
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), `${name} and other words\n`.repeat(1500))
    server.improvise(model, (_request, index) => ({
      ...(index < 18 ? files[index % 3] ?? say('') : say('Done.')), usage: undefined as never,
    }))
    const events = await eventsOf(agent.run('Go'))
    expect(events.filter(({ type }) => type === 'context').length).toBeGreaterThan(3)
    expect(endOf(events)).toMatchObject({ reason: 'answer' })
    expect(toldIn(model)).toEqual([])
  })

  it('counts once in one answer, and never where a call waits for something', async () => {
    const { agent, model } = agentFor([], { style, enabledToolsets: ['core', 'clada', 'terminal'], maxTurns: 30 })
    await using _ = agent
    server.improvise(model, (_request, index) => {
      if (index === 0) return calls(style, LIST, LIST, LIST, LIST, LIST, LIST)
      return index < 8 ? calls(style, ['terminal_list', {}]) : say('Done.')
    })
    expect(endOf(await eventsOf(agent.run('Go')))).toMatchObject({ reason: 'answer' })
    expect(toldIn(model)).toEqual([])
  })
})

describe('a block that cannot be read', () => {
  it('is a loop only where it is the same', async () => {
    const broken = (key: string): ScriptedAnswer => say(`<tool_call>{"name": "read_file", ${key}</tool_call>\n`)
    const { agent, model } = agentFor([], { style: 'blocks' })
    await using _ = agent
    server.improvise(model, (_request, index) => (index < 8 ? broken(`x${index}`) : say('Done.')))
    expect(endOf(await eventsOf(agent.run('Go')))).toMatchObject({ reason: 'answer' })
    server.improvise(model, () => broken('x'))
    expect(endOf(await eventsOf(agent.run('Go')))).toMatchObject({ reason: 'loop' })
  })
})

describe('chat', () => {
  it('rejects with what it was', async () => {
    const { agent } = agentFor(Array.from({ length: 20 }, () => calls('native', READ)))
    await using _ = agent
    await expect(agent.chat('Go')).rejects.toMatchObject({
      code: 'MODEL_FAILED', message: 'The model made the same call again and again', data: { text: '' },
    })
  })
})

describe('a message that has used its turns', () => {
  it('gets as many again where that is wished', async () => {
    const asked: number[] = []
    const turns = Array.from({ length: 6 }, (_, index) => calls('native', ['write_file', { path: 'a', content: `${index}` }]))
    const { agent } = agentFor(turns, { maxTurns: 2, goOn: async (used) => asked.push(used) < 3 })
    await using _ = agent
    const events = await eventsOf(agent.run('Go'))
    expect(asked).toEqual([2, 4, 6])
    expect(events.filter((event) => event.type === 'turn_start').map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6])
    expect(endOf(events)).toMatchObject({ reason: 'max_turns' })
  })

  it('is not asked about once it has its answer', async () => {
    const { agent } = agentFor([say('Done.')], { maxTurns: 1, goOn: async () => Promise.reject(new Error('asked')) })
    await using _ = agent
    expect(await agent.chat('Go')).toBe('Done.')
  })
})
