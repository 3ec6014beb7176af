import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTree } from '../../../../../test/support/file-tree.js'
import type { AgentEvent } from '../../../src/agent/index.js'
import { agentWithDelegates, copiesLeft, toldOf } from '../support/play-delegates.js'
import { say, type ScriptedAnswer } from '../support/script.js'
import { eventsOf, useAgents } from '../support/use-agents.js'

const agents = useAgents()

function delegating(...tasks: Record<string, unknown>[]): ScriptedAnswer {
  return say('', ...tasks.map((task): [string, Record<string, unknown>] => ['delegate', task]))
}

function endOf(events: readonly AgentEvent[]) {
  return events.find((event) => event.type === 'end')
}

describe('a delegate that reads', () => {
  it('has a context of its own, verbs that only read, and gives its last answer to who asked', async () => {
    const { agent, root, requests } = agentWithDelegates(agents, [
      delegating({ task: 'survey the notes', name: 'notes' }), say('It says 42.'),
    ], {
      survey: [
        say('', ['read_file', { path: 'notes' }], ['write_file', { path: 'made', content: '' }],
          ['execute_command', { command: 'touch ran' }], ['file_write', { path: 'other', content: '' }]),
        say('notes:1 says 42.'),
      ],
    }, { systemPrompt: 'Text of the user.' })
    await using _ = agent
    writeFileSync(join(root, 'notes'), 'the answer is 42\n')
    const events = await eventsOf(agent.run('What is the answer, says Ana?'))
    expect(endOf(events)).toMatchObject({ reason: 'answer', text: 'It says 42.' })
    const [first, second] = requests('survey')
    expect(JSON.stringify(first)).not.toMatch(/Ana|Text of the user/)
    const offered = (first?.tools ?? []).map(({ function: { name } }) => name)
    expect(offered).toContain('read_file')
    for (const name of ['write_file', 'edit_replace', 'execute_command', 'delegate', 'git_commit', 'ask_user']) {
      expect(offered).not.toContain(name)
    }
    const [read, ...refused] = toldOf(second)
    expect(read).toMatchObject({ success: true })
    expect(refused.map(({ code }) => code)).toEqual(['UNKNOWN_ACTION', 'UNKNOWN_ACTION', 'UNKNOWN_ACTION'])
    expect(readTree(root)).toEqual({ notes: 'the answer is 42\n' })
    expect(toldOf(requests()[1])).toEqual([{
      success: true, data: { name: 'notes', answer: 'notes:1 says 42.', ended: 'answer', turns: 2, tokens: 240 },
    }])
    expect((await agent.task()).messages.some(({ content }) => content?.includes('the answer is 42'))).toBe(false)
  })

  it('counts into the tokens and the cost of who asked, and tells what it is at', async () => {
    const { agent, root } = agentWithDelegates(agents, [
      delegating({ task: 'survey', name: 'notes' }), say('Done.'),
    ], { survey: [say('', ['read_file', { path: 'notes' }]), say('Seen.')] }, { price: { input: 10_000, output: 0 } })
    await using _ = agent
    writeFileSync(join(root, 'notes'), 'text\n')
    const events = await eventsOf(agent.run('Go'))
    const usage = events.filter((event) => event.type === 'usage')
    expect(usage).toHaveLength(4)
    expect(usage.at(-1)?.total).toEqual({ input: 400, output: 80, cost: 4 })
    expect((await agent.task()).usage).toEqual({ input: 400, output: 80, cost: 4 })
    const [call] = events.filter((event) => event.type === 'call_start')
    const lines = events.flatMap((event) => (event.type === 'call_output' && event.id === call?.id ? event.lines : []))
    expect(lines).toEqual([
      'notes: turn 1 · thinking', 'notes: turn 1 · read_file notes', 'notes: turn 2 · thinking',
    ])
  })

  it('may call fewer tools than it could, and none that it could not', async () => {
    const { agent, requests } = agentWithDelegates(agents, [
      delegating({ task: 'survey', tools: ['read_file'] }, { task: 'survey', tools: ['write_file'] }), say('Done.'),
    ], { survey: [say('Seen.')] })
    await using _ = agent
    await agent.chat('Go')
    expect(requests('survey').map(({ tools = [] }) => tools.map(({ function: { name } }) => name)))
      .toEqual([['read_file']])
    expect(toldOf(requests()[1])).toMatchObject([
      { success: true }, { success: false, code: 'INVALID_PARAMETER', error: expect.stringContaining('write_file') },
    ])
  })

  it('has no delegates of its own', async () => {
    const { agent, requests } = agentWithDelegates(agents, [delegating({ task: 'survey' }), say('Done.')], {
      survey: [delegating({ task: 'deeper' }), say('I did it myself.')], deeper: [say('Never.')],
    })
    await using _ = agent
    await agent.chat('Go')
    expect(toldOf(requests('survey')[1])).toMatchObject([{
      code: 'POLICY_DENIED', error: 'delegate: a delegate has no delegates of its own',
    }])
    expect(requests('deeper')).toEqual([])
  })

  it('is denied what the policy denies', async () => {
    const { agent, root, requests } = agentWithDelegates(agents, [delegating({ task: 'survey' }), say('Done.')], {
      survey: [
        say('', ...['private/a', '.env', '.git/config', '.hermes/x', '/etc/passwd'].map(
          (path): [string, Record<string, unknown>] => ['read_file', { path }])),
        say('Closed.'),
      ],
    }, { policy: { deny: ['private/**'] } })
    await using _ = agent
    for (const directory of ['private', '.git', '.hermes']) mkdirSync(join(root, directory))
    for (const name of ['private/a', '.env', '.git/config', '.hermes/x']) writeFileSync(join(root, name), 'secret\n')
    await agent.chat('Go')
    expect(toldOf(requests('survey')[1]).map(({ code }) => code)).toEqual(Array(5).fill('POLICY_DENIED'))
  })

  it.each([
    ['turns', { max_turns: 2 }, {}, 2], ['tokens', { max_tokens: 1000 }, {}, 10],
    ['tokens', {}, { delegate: { maxTokens: 500 } }, 6],
    ['turns', { max_turns: 9 }, { delegate: { maxTurns: 3 } }, 3],
    ['turns', { max_turns: 17 }, {}, 17],
  ] as const)('ends with its %s, after words on what it had', async (ended, most, options, turns) => {
    const { agent, root, requests } = agentWithDelegates(agents, [
      delegating({ task: 'survey', ...most }), say('Done.'),
    ], {
      survey: Array.from({ length: 20 }, () => (_index: number, { messages }: { messages: { content: string | null }[] }) => (
        messages.at(-1)?.content?.includes('Your budget ends') === true ? say('As far as I got.')
          : say('', ['read_file', { path: `f${messages.length}` }])
      )),
    }, options)
    await using _ = agent
    for (let index = 0; index < 40; index++) writeFileSync(join(root, `f${index}`), `${index}\n`)
    await agent.chat('Go')
    expect(toldOf(requests()[1])).toMatchObject([{ data: { ended, turns, answer: 'As far as I got.' } }])
    expect(requests('survey')).toHaveLength(turns)
  })

  it('ends with its time, and the request it waits for', async () => {
    const { agent, requests } = agentWithDelegates(agents, [delegating({ task: 'survey', max_seconds: 1 }), say('So.')], {
      survey: [{ ...say('I think'), fault: 'hang' }],
    })
    await using _ = agent
    await agent.chat('Go')
    expect(toldOf(requests()[1])).toMatchObject([{ success: true, data: { ended: 'time', answer: 'I think' } }])
  })

  it('takes its turns from the message, of which one is left for who asked', async () => {
    const read = (index: number): ScriptedAnswer => say('', ['read_file', { path: `f${index}` }])
    const { agent, root, requests } = agentWithDelegates(agents, [
      delegating({ task: 'survey' }), delegating({ task: 'more' }), say('Never asked.'),
    ], { survey: Array.from({ length: 9 }, (_, index) => read(index)), more: [say('Never asked.')] }, { maxTurns: 5 })
    await using _ = agent
    for (let index = 0; index < 9; index++) writeFileSync(join(root, `f${index}`), `${index}\n`)
    const events = await eventsOf(agent.run('Go'))
    expect(endOf(events)).toMatchObject({ reason: 'max_turns' })
    expect(requests('survey')).toHaveLength(3)
    expect(requests()).toHaveLength(2)
    expect(requests('more')).toEqual([])
    const [denied] = events.flatMap((event) => (event.type === 'call_end' && !event.result.success ? [event] : []))
    expect(denied?.result).toMatchObject({ code: 'POLICY_DENIED', error: expect.stringContaining('no turns are left') })
  })

  it('that the server fails costs only its call', async () => {
    const { agent, requests } = agentWithDelegates(agents, [
      delegating({ task: 'survey', name: 'one' }, { task: 'other' }), say('One of two.'),
    ], { survey: [{ ...say('broken'), status: 401 }], other: [say('Fine.')] }, { maxRetries: 0 })
    await using _ = agent
    expect(await agent.chat('Go')).toBe('One of two.')
    expect(toldOf(requests()[1])).toMatchObject([
      { success: false, code: 'MODEL_FAILED', error: expect.stringContaining('delegate one: ') },
      { success: true, data: { answer: 'Fine.' } },
    ])
  })

  it('works beside two others at most, and their answers come in the order of the calls', async () => {
    const names = ['a', 'b', 'c', 'd']
    let open = 0
    const seen: number[] = []
    const { agent, requests } = agentWithDelegates(agents, [
      delegating(...names.map((name) => ({ task: `${name} is yours`, name }))), say('All.'),
    ], Object.fromEntries(names.map((name, at) => [name, [
      () => {
        seen.push(++open)
        return say('', ['list_directory', { path: '.' }])
      },
      // The first of them is the slowest.
      () => {
        open--
        return { ...say(`${name} is done.`), chunk: 2, pauseMs: at === 0 ? 20 : 0 }
      },
    ]])))
    await using _ = agent
    await agent.chat('Go')
    expect(toldOf(requests()[1]).map(({ data }) => (data as { answer: string }).answer))
      .toEqual(names.map((name) => `${name} is done.`))
    expect(Math.max(...seen)).toBeGreaterThan(1)
    expect(Math.max(...seen)).toBeLessThanOrEqual(3)
  })

  it.each(['read', 'copy'] as const)('is ended with who asked (%s)', async (mode) => {
    const stop = new AbortController()
    const { agent, root } = agentWithDelegates(agents, [
      delegating(...['a', 'b', 'c', 'd'].map((name) => ({ task: `work ${name}`, name, mode }))),
    ], {
      work: Array.from({ length: 4 }, () => (index: number) => {
        // The fourth waits for one of them.
        if (index === 2) setImmediate(() => stop.abort())
        return { ...say('I begin'), fault: 'hang' as const }
      }),
    })
    await using _ = agent
    writeFileSync(join(root, 'notes'), 'text\n')
    const events = await eventsOf(agent.run('Go', { signal: stop.signal }))
    expect(endOf(events)).toMatchObject({ reason: 'cancelled' })
    const ends = events.flatMap((event) => (event.type === 'call_end' ? [event.result.code] : []))
    expect(ends).toEqual(Array(4).fill('CANCELLED'))
    expect(copiesLeft()).toEqual([])
  })

  it('is offered to no model where the user does not want it, and in no toolset that only reads', async () => {
    for (const options of [{ delegate: false }, { enabledToolsets: ['read-only'] }] as const) {
      const { agent, requests } = agentWithDelegates(agents, [delegating({ task: 'survey' }), say('Done.')], {
        survey: [say('Never.')],
      }, options)
      await using _ = agent
      await agent.chat('Go')
      expect((requests()[0]?.tools ?? []).map(({ function: { name } }) => name)).not.toContain('delegate')
      expect(toldOf(requests()[1])[0]).toMatchObject({ success: false })
      expect(requests('survey')).toEqual([])
    }
  })

  it('is asked for by blocks as well, and asked itself in the same style', async () => {
    const block = (name: string, args: object): ScriptedAnswer => (
      say(`<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`)
    )
    const { agent, root, requests } = agentWithDelegates(agents, [
      block('delegate', { task: 'survey' }), say('Done.'),
    ], { survey: [block('file_read', { path: 'notes' }), say('It says text.')] }, { style: 'blocks' })
    await using _ = agent
    writeFileSync(join(root, 'notes'), 'text\n')
    expect(await agent.chat('Go')).toBe('Done.')
    expect(requests('survey')[1]?.messages.at(-1)?.content).toContain('text')
    expect(requests()[1]?.messages.at(-1)?.content).toContain('It says text.')
    expect(requests()[0]?.messages[0]?.content).toContain('delegate')
    expect(requests('survey')[0]?.messages[0]?.content).not.toContain('file_write')
  })
})
