import { mkdirSync, readFileSync, symlinkSync, statSync, writeFileSync, appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readTree } from '../../../../test/support/file-tree.js'
import { BASICS_OF } from '../../../1-registry/src/index.js'
import { Agent, onTaskEnd, openSessionStore, type AgentEvent, type AgentOptions } from '../../src/agent/index.js'
import { readAnswer, say, type ScriptedAnswer } from './support/script.js'
import { eventsOf, useAgents } from './support/use-agents.js'

const { server, agentFor } = useAgents()

function write(path: string, content: string): [string, Record<string, unknown>] {
  return ['write_file', { path, content }]
}

describe('chat', () => {
  it('resolves to the text of the answer, and rejects where there is none', async () => {
    await using agent = agentFor([say('Hi.'), say('', write('a', '1'))], { maxTurns: 1 }).agent
    expect(await agent.chat('Hello')).toBe('Hi.')
    await expect(agent.chat('Work')).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  })

  it('sends thoughts back under the name they came by', async () => {
    const { agent, model } = agentFor([{ ...say('', write('a', '1')), reasoning: 'A file is wanted.' }, say('Done.')])
    await using _ = agent
    await agent.chat('Go')
    expect(server.requests(model)[1]?.messages[2]).toMatchObject({
      role: 'assistant', reasoning_content: 'A file is wanted.',
    })
    expect((await agent.task()).messages[1]).toMatchObject({ reasoning: 'A file is wanted.' })
  })

  it('keeps tasks apart: conversation, root and context', async () => {
    const [one, two] = [tempDir(), tempDir()]
    const { agent, model } = agentFor([])
    await using _ = agent
    server.improvise(model, ({ messages }) => {
      const name = messages[1]?.content === 'first' ? 'a' : 'b'
      return messages.length === 2 ? say('', write(name, name)) : say(`Made ${name}.`)
    })
    const answers = await Promise.all([
      agent.chat('first', { taskId: 'one', root: one }), agent.chat('second', { taskId: 'two', root: two }),
    ])
    expect(answers).toEqual(['Made a.', 'Made b.'])
    expect([readTree(one), readTree(two)]).toEqual([{ a: 'a' }, { b: 'b' }])
  })

  it('refuses a second message while one is being answered', async () => {
    const { agent } = agentFor([{ ...say('Slow.'), fault: 'hang' }])
    const abort = new AbortController()
    await using _ = agent
    const first = agent.chat('One', { signal: abort.signal })
    await expect(agent.chat('Two')).rejects.toMatchObject({ code: 'LOCKED' })
    abort.abort()
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it.each([
    [{ modle: 'x' }, 'Did you mean model?'], [{ maxTurns: 0 }, undefined], [{ baseURL: 'nowhere' }, undefined],
  ])('throws at once for wrong options %j', (options, hint) => {
    const made = (): Agent => new Agent({ model: 'm', baseURL: server.url, ...options })
    expect(made).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', ...(hint !== undefined && { hint }) }))
  })

  it('asks for a key where a public service wants one, and names the variable', () => {
    expect(() => new Agent({ model: 'm', baseURL: 'https://openrouter.ai/api/v1' })).toThrow(expect.objectContaining({
      code: 'INVALID_OPTION', hint: 'Set OPENROUTER_API_KEY, or give apiKey.',
    }))
  })
})

describe('verbs that were not offered', () => {
  const skill = '---\ndescription: How notes are written.\n---\nBriefly.\n'
  const block = (name: string, args: object): ScriptedAnswer => say(
    `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`,
  )
  const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name)

  it('are unknown, and what there is in their place is named', async () => {
    const unknown = { success: false, code: 'UNKNOWN_ACTION' }
    const { agent, model, root } = agentFor([
      say('', ['file_write', { path: '/a', content: '1' }], ['terminal_run', { command: 'touch b' }]), say('Sorry.'),
    ])
    await using _ = agent
    expect(await agent.chat('Go')).toBe('Sorry.')
    const answers = server.requests(model)[1]?.messages.slice(-2).map(
      ({ content }) => JSON.parse(content ?? '') as object,
    )
    expect(answers).toEqual([
      { ...unknown, error: 'Unknown action: file_write', hint: expect.stringContaining('write_file') },
      { ...unknown, error: 'Unknown action: terminal_run', hint: expect.stringContaining('execute_command') },
    ])
    expect(readTree(root)).toEqual({})
  })

  it('run as verbs where they are tools of the harness that is named', async () => {
    const { agent, root } = agentFor(
      [say('', ['Write', { file_path: 'a', content: '1' }], ['Edit', { file_path: 'a', old_string: '1', new_string: '2' }]), say('Done.')],
      { mapping: 'claude-code' },
    )
    await using _ = agent
    expect(await agent.chat('Go')).toBe('Done.')
    expect(readTree(root)).toEqual({ a: '2' })
  })

  it('are so with blocks of tools of their own; another name for what was offered is understood', async () => {
    const answers = [
      block('terminal_run', { command: 'touch b' }), block('fs.writeFile', { path: 'a', content: '1' }), say('Done.'),
    ]
    const { agent, model, root } = agentFor(answers, { style: 'blocks', blocksFormat: 'tool_call' })
    await using _ = agent
    expect(await agent.chat('Go')).toBe('Done.')
    expect(server.requests(model)[1]?.messages.at(-1)?.content).toContain('Unknown action: terminal_run')
    expect(readTree(root)).toEqual({ a: '1' })
    const told = server.requests(model)[0]?.messages[0]?.content?.match(/^### \S+$/gm)
    const offered = [...BASICS_OF.tool_call, 'delegate', 'delegate_accept']
    expect(told?.toSorted()).toEqual(offered.map((name) => `### ${name}`).toSorted())
  })

  it.each(['sham', 'envelope', 'tool_call'] as const)('commit, in blocks (%s) too', async (blocksFormat) => {
    const { agent, model } = agentFor([say('Done.')], { style: 'blocks', blocksFormat, gitCommit: true })
    await using _ = agent
    await agent.chat('Go')
    expect(server.requests(model)[0]?.messages[0]?.content).toMatch(/^### git_commit$/m)
  })

  it.each(['native', 'blocks'] as const)('with toolsets are refused by them (%s)', async (style) => {
    const answer = style === 'native' ? say('', write('a', '1')) : block('write_file', { path: 'a', content: '1' })
    const { agent, model, root } = agentFor([answer, say('Sorry.')], { style, enabledToolsets: ['read-only'] })
    await using _ = agent
    await agent.chat('Go')
    expect(server.requests(model)[1]?.messages.at(-1)?.content).toContain(
      'write_file is not in the enabled toolsets (read-only)',
    )
    expect(readTree(root)).toEqual({})
  })

  it('are not skills that came after the task had begun, nor does the prompt name them', async () => {
    const { agent, model, root } = agentFor([say('Hi.')])
    await using _ = agent
    await agent.task()
    mkdirSync(join(root, 'skills', 'notes'), { recursive: true })
    writeFileSync(join(root, 'skills', 'notes', 'SKILL.md'), skill)
    await agent.chat('Hello')
    const { messages: [system], tools = [] } = server.requests(model)[0] ?? { messages: [] }
    expect(names(tools.map((tool) => tool.function))).not.toContain('skill_view')
    expect(system?.content).not.toContain('skill_view')
  })

  it.each([
    { style: 'native' }, { style: 'blocks', blocksFormat: 'tool_call' },
  ] as const)('are not skills, where there are any (%j)', async (style) => {
    const root = tempDir()
    await using without = agentFor([], { ...style, root }).agent
    expect(names(await without.tools())).not.toContain('skill_view')
    mkdirSync(join(root, 'skills', 'notes'), { recursive: true })
    writeFileSync(join(root, 'skills', 'notes', 'SKILL.md'), skill)
    await using withSkill = agentFor([], { ...style, root }).agent
    expect(names(await withSkill.tools())).toEqual(expect.arrayContaining(['write_file', 'skills_list', 'skill_view']))
  })

  it('change a part of a file where functions are called', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    const edit = say('', ['edit_replace', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }])
    const { agent } = agentFor([edit, say('Done.')], { style: 'native', root })
    await using _ = agent
    await agent.chat('Go')
    expect(names(await agent.tools())).toContain('edit_replace')
    expect(readTree(root)).toEqual({ 'a.txt': 'one\nTWO\nthree\n' })
  })

  it('are without what the policy switches off', async () => {
    await using agent = agentFor([], { style: 'native', policy: { verbs: { write: 'off' } } }).agent
    expect(names(await agent.tools())).not.toContain('edit_replace')
  })

  it('are all, where all that is usual is disabled', async () => {
    await using agent = agentFor([], { disabledToolsets: ['core', 'terminal'] }).agent
    expect(names(await agent.tools())).toEqual(expect.arrayContaining(['file_write']))
  })
})

/** What the last request held, without the system prompt. */
function spoken(model: string): unknown[] {
  const { messages = [] } = server.requests(model).at(-1) ?? {}
  return messages.filter(({ role }) => role !== 'system').map(({ role, content }) => [role, content])
}

describe('cancelling', () => {
  it.each([
    'native', 'blocks',
  ] as const)('while the model streams (%s) ends the run, and the conversation goes on', async (style) => {
    const { agent, model } = agentFor([{ ...say('I begin to wri'), fault: 'hang' }, say('Went on.')], { style })
    await using _ = agent
    const abort = new AbortController()
    const events: AgentEvent[] = []
    for await (const event of agent.run('Go', { signal: abort.signal })) {
      events.push(event)
      if (event.type === 'text') abort.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'cancelled', text: expect.stringContaining('I begin') })
    expect(await agent.chat('Go on')).toBe('Went on.')
    expect(server.requests(model)).toHaveLength(2)
    expect(spoken(model)).toEqual([
      ['user', 'Go'], ['assistant', 'I begin to wri\n\n[Interrupted]'], ['user', 'Go on'],
    ])
    expect((await agent.task()).messages[1]).toMatchObject({ interrupted: true, content: 'I begin to wri' })
  })

  it('before a word came leaves no message without an answer, nor does a failure', async () => {
    const { agent, model } = agentFor([
      { ...say(''), fault: 'hang' }, { ...say('Wrong'), status: 400 }, say('Yes.'),
    ])
    await using _ = agent
    const abort = new AbortController()
    const events = eventsOf(agent.run('One', { signal: abort.signal }))
    while (server.requests(model).length === 0) await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    expect((await events).at(-1)).toMatchObject({ reason: 'cancelled', text: '' })
    await expect(agent.chat('Two')).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(await agent.chat('Three')).toBe('Yes.')
    expect(spoken(model)).toEqual([
      ['user', 'One'], ['assistant', '[Interrupted]'], ['user', 'Two'], ['assistant', '[Interrupted]'],
      ['user', 'Three'],
    ])
  })

  it('is kept in the session, and resume goes on from what there is', async () => {
    const sessions = openSessionStore({ directory: tempDir() })
    const abort = new AbortController()
    {
      await using agent = agentFor([{ ...say('Half of it'), fault: 'hang' }], { sessions }).agent
      for await (const event of agent.run('Go', { taskId: 's', signal: abort.signal })) {
        if (event.type === 'text') abort.abort()
      }
    }
    const { agent, model } = agentFor([say('The rest.')], { sessions })
    await using _ = agent
    expect((await agent.task({ taskId: 's' })).isUnfinished).toBe(true)
    expect((await eventsOf(agent.resume({ taskId: 's' }))).at(-1)).toMatchObject({ text: 'The rest.' })
    expect(spoken(model)).toEqual([
      ['user', 'Go'], ['assistant', expect.stringContaining('[Interrupted]')],
      ['user', expect.stringContaining('Go on where it ended')],
    ])
  })

  it.each(['native', 'blocks'] as const)('while a command runs (%s) kills it', async (style) => {
    const command = 'echo $$ > pid; sleep 60'
    const block = `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command } })}</tool_call>\n`
    const answer = style === 'native' ? say('', ['execute_command', { command }]) : { ...say(block), pauseMs: 1 }
    const { agent, root } = agentFor([answer, say('Never.')], { style })
    await using _ = agent
    const abort = new AbortController()
    const last: AgentEvent[] = []
    for await (const event of agent.run('Go', { signal: abort.signal })) {
      last.push(event)
      if (event.type === 'call_start') {
        const hasPid = (): boolean => readdirSync(root).includes('pid') && readFileSync(join(root, 'pid'), 'utf8') !== ''
        while (!hasPid()) await new Promise((resolve) => setImmediate(resolve))
        abort.abort()
      }
    }
    expect(last.at(-1)).toMatchObject({ type: 'end', reason: 'cancelled' })
    const pid = Number(readFileSync(join(root, 'pid'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('by leaving the events early ends the run as well', async () => {
    const { agent } = agentFor([{ ...say('text'), fault: 'hang' }, say('Fresh.')])
    await using _ = agent
    for await (const event of agent.run('Go')) if (event.type === 'text') break
    expect(await agent.chat('Again')).toBe('Fresh.')
  })
})

describe('the context window', () => {
  it('loses the oldest outputs first, then older messages become a summary', async () => {
    const root = tempDir()
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), `${name} `.repeat(12_000))
    const read = (path: string): ScriptedAnswer => ({ ...say('', ['read_file', { path }]), usage: undefined as never })
    const { agent, model } = agentFor([read('a'), read('b'), read('c'), say('Read.')], {
      root, contextWindow: 27_500, maxTokens: 1000, callTokens: 20_000, enabledToolsets: ['read-only', 'core'],
    })
    await using _ = agent
    const events = await eventsOf(agent.run('Read all'))
    expect(events.filter(({ type }) => type === 'context')).toEqual([
      expect.objectContaining({ pruned: expect.any(Number), summarized: false }),
    ])
    const sent = server.requests(model).at(-1)?.messages ?? []
    expect(sent[3]?.content).toMatch(
      /^\[Left out to save room: result of read_file, \d+ characters\. Ask again for what you still need\.\]$/,
    )
    expect(sent.at(-1)?.content).toContain('c c c')
  })

  it('summarises what cannot be pruned, and is asked again where the server says it is too long', async () => {
    const { agent, model } = agentFor([], { contextWindow: 30_000, maxTokens: 500, enabledToolsets: ['read-only'] })
    await using _ = agent
    let refusals = 0
    server.improvise(model, ({ messages }) => {
      const last = messages.at(-1)?.content ?? ''
      if (last.includes('Summarise the conversation above')) return say('They spoke of many words.')
      if (last === 'last' && refusals++ === 0) return {
        ...say('[context_length_exceeded] maximum context length'), status: 400,
      }
      return say('noted')
    })
    for (let at = 0; at < 6; at++) await agent.chat(`${at} word `.repeat(1500))
    const events = await eventsOf(agent.run('last'))
    expect(events).toContainEqual(expect.objectContaining({ type: 'context', summarized: true }))
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'answer', text: 'noted' })
    expect(JSON.stringify(server.requests(model).at(-1)?.messages)).toContain('They spoke of many words.')
  })

  it('is asked of the server once a conversation is longer, and filled to four fifths', async () => {
    const { agent, model } = agentFor([], { maxTokens: 10, enabledToolsets: ['read-only'] })
    await using _ = agent
    server.say('/v1/models', { data: [{ id: model, max_model_len: 20_000 }] })
    server.improvise(model, ({ messages }) => ({
      ...say(String(messages.at(-1)?.content).includes('Summarise the conversation above') ? 'Short.' : 'noted'),
      usage: undefined as never,
    }))
    const events = []
    for (let at = 0; at < 9; at++) {
      events.push(...await eventsOf(agent.run(`${at} word `.repeat(1000))))
      expect(JSON.stringify(server.requests(model).at(-1)?.messages).length / 4).toBeLessThan(17_000)
    }
    expect(events).toContainEqual(expect.objectContaining({ type: 'context', summary: 'Short.' }))
    expect(server.looks.filter((look) => look === 'GET /v1/models')).toHaveLength(1)
  })

  it('is left alone where compression is off, until the server refuses', async () => {
    const { agent, model } = agentFor([], {
      contextWindow: 8000, compression: { enabled: false, summaryModel: 'small' }, enabledToolsets: ['read-only'],
    })
    await using _ = agent
    server.improvise('small', () => say('By another.'))
    let refusals = 0
    server.improvise(model, ({ messages }) => (
      messages.at(-1)?.content === 'last' && refusals++ === 0
        ? { ...say('the request exceeds the available context size'), status: 400 } : say('noted')
    ))
    const before = []
    for (let at = 0; at < 6; at++) before.push(...await eventsOf(agent.run(`${at} word `.repeat(1500))))
    expect(before.filter(({ type }) => type === 'context')).toEqual([])
    const events = await eventsOf(agent.run('last'))
    expect(events).toContainEqual(expect.objectContaining({ type: 'context', summary: 'By another.' }))
    expect(events.at(-1)).toMatchObject({ reason: 'answer', text: 'noted' })
  })

  it('is emptied when the user asks, and no call loses its result', async () => {
    const sessions = openSessionStore({ directory: tempDir() })
    const root = tempDir()
    writeFileSync(join(root, 'a'), 'words of the file')
    const { agent, model } = agentFor([
      say('', ['read_file', { path: 'a' }], ['read_file', { path: 'none' }]), say('First.'), say('Second.'),
      say('They read a.'), say('Third.'),
    ], { root, sessions })
    await agent.chat('one', { taskId: 'kept' })
    await agent.chat('two', { taskId: 'kept' })
    const events = await eventsOf(agent.compact({ taskId: 'kept' }))
    expect(events.map(({ type }) => type)).toEqual(['usage', 'context'])
    expect(events.at(-1)).toMatchObject({ pruned: 0, summary: 'They read a.' })
    expect(String(server.requests(model).at(-1)?.messages.at(-1)?.content)).toContain('words of the file')
    await agent[Symbol.asyncDispose]()
    await using next = agentFor([say('Third.')], { root, sessions }).agent
    expect((await next.task({ taskId: 'kept' })).messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'], ['assistant', expect.stringContaining('They read a.')], ['user', 'two'], ['assistant', 'Second.'],
    ])
    expect(await next.chat('three', { taskId: 'kept' })).toBe('Third.')
    await expect(eventsOf(next.compact({ taskId: 'other' }))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('accounting', () => {
  it('adds up tokens and their price', async () => {
    const call = '@call write_file {"path": "a", "content": "1"}'
    const answers = [readAnswer('answer usage=1000/100', call), readAnswer('answer usage=2000/50', 'Done.')]
    const { agent } = agentFor(answers, { price: { input: 3, output: 15 } })
    await using _ = agent
    const usage = (await eventsOf(agent.run('Go'))).filter((event) => event.type === 'usage')
    expect(usage.map(({ input, output }) => [input, output])).toEqual([[1000, 100], [2000, 50]])
    expect(usage.at(-1)?.total).toMatchObject({ input: 3000, output: 150 })
    expect(usage.at(-1)?.total.cost).toBeCloseTo(0.01125, 10)
    expect((await agent.task()).usage.input).toBe(3000)
  })

  it('counts each answer at the price of the model that gave it', async () => {
    const { agent, model } = agentFor([readAnswer('answer usage=1000/100', 'One.')], {
      prices: { 'play-dear': { input: 30, output: 150 }, 'play-cheap': { input: 3, output: 15 } },
    })
    await using _ = agent
    for (const name of ['play-dear', 'play-cheap', 'constructor']) {
      server.play(name, [readAnswer('answer usage=1000/100', 'Hi.')])
    }
    const costs = []
    for (const name of ['play-dear', 'play-cheap', 'constructor', model]) {
      agent.model = name
      const [usage] = (await eventsOf(agent.run('Go'))).filter((event) => event.type === 'usage')
      costs.push([usage?.cost, usage?.total.cost])
    }
    // What no price is known of adds none.
    const near = (value: number): unknown => expect.closeTo(value, 10)
    expect(costs).toEqual([
      [near(0.045), near(0.045)], [near(0.0045), near(0.0495)], [undefined, near(0.0495)], [undefined, near(0.0495)],
    ])
  })

  it('estimates where the server tells nothing, and says so', async () => {
    await using agent = agentFor([readAnswer('answer usage=no', 'x'.repeat(400))]).agent
    const [usage] = (await eventsOf(agent.run('Go'))).filter((event) => event.type === 'usage')
    expect(usage).toMatchObject({ estimated: true, output: 100 })
    expect(usage?.input).toBeGreaterThan(0)
  })
})

describe('trajectories', () => {
  it.each(['native', 'blocks'] as const)('are lines of ShareGPT as in seed 003 (%s)', async (style) => {
    const directory = tempDir()
    const call = '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "1"}}</tool_call>\n'
    const first = style === 'native' ? { ...say('', write('a', '1')), reasoning: 'Write.' } : {
      ...say(call), reasoning: 'Write.',
    }
    await using agent = agentFor([first, say('Done.')], { style, saveTrajectories: directory }).agent
    await agent.chat('Go', { taskId: 'one' })
    const { conversations } = JSON.parse(readFileSync(join(directory, 'one.jsonl'), 'utf8')) as {
      conversations: { from: string; value: string }[],
    }
    expect(conversations.map(({ from }) => from)).toEqual(['system', 'human', 'gpt', 'tool', 'gpt'])
    expect(conversations[0]?.value).toContain('<tools>')
    expect(conversations[2]?.value).toMatch(
      /^<think>\nWrite\.\n<\/think>\n<tool_call>\n\{.*"name":"write_file".*\}\n<\/tool_call>$/,
    )
    expect(conversations[3]?.value).toMatch(/^<tool_response>\n\{.*"success":true.*\n<\/tool_response>$/)
    expect(conversations[4]?.value).toBe('Done.')
  })

  it.each([
    ['the directory', 'ln -s OUTSIDE trajectories', 'trajectories'],
    ['one that leads to it, with none behind it yet', 'ln -s OUTSIDE kept', 'kept/new/trajectories'],
    ['the file', 'mkdir trajectories; ln -s OUTSIDE/one.jsonl trajectories/one.jsonl', 'trajectories'],
    ['the file, as a pipe', 'mkdir trajectories; mkfifo trajectories/one.jsonl', 'trajectories'],
  ])('go nowhere by what a command put in place of %s', async (_, command, directory) => {
    const [root, outside] = [tempDir(), tempDir()]
    writeFileSync(join(outside, 'one.jsonl'), 'of the user')
    await using agent = agentFor([
      say('', ['execute_command', { command: command.replaceAll('OUTSIDE', outside) }]), say('Done.'),
    ], { root, saveTrajectories: join(root, directory) }).agent
    const events = await eventsOf(agent.run('Go', { taskId: 'one' }))
    expect(events).toContainEqual(
      { type: 'notice', text: expect.stringMatching(/^The trajectory could not be saved: .* in \S+, where commands work/) as string },
    )
    expect(readTree(outside)).toEqual({ 'one.jsonl': 'of the user' })
  })
})

describe('cleanups', () => {
  it('run when a task ends, all of them, the last first', async () => {
    const ended: string[] = []
    const takeBack = onTaskEnd((id) => void ended.push(`every ${id}`))
    const { agent } = agentFor([say('Hi.')])
    await agent.chat('Hello', { taskId: 't' })
    await agent.addCleanup('t', (id) => void ended.push(`own ${id}`))
    await agent.addCleanup('t', () => Promise.reject(new Error('broken')))
    await agent[Symbol.asyncDispose]()
    takeBack()
    expect(ended).toEqual(['own t', 'every t'])
  })
})

describe('sessions', () => {
  function kept(directory: string, answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
    return agentFor(answers, {
      sessions: openSessionStore({ directory, secrets: { MODEL_KEY: 'sk-secret-0123456789' } }), ...options,
    })
  }

  it('are for their owner alone, hold no known secret, and are listed with what they are about', async () => {
    const directory = join(tempDir(), 'sessions')
    const { agent } = kept(directory, [say('Noted.')])
    await agent.chat('My key is sk-secret-0123456789\nkeep it', { taskId: 'first' })
    await agent[Symbol.asyncDispose]()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'first.jsonl')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'first.jsonl'), 'utf8')).not.toContain('sk-secret')
    expect(await openSessionStore({ directory }).list()).toEqual([
      expect.objectContaining({ id: 'first', title: 'My key is [masked MODEL_KEY]', model: agent.model }),
    ])
  })

  it('go on in another agent, taken back and cleared as they were left', async () => {
    const directory = tempDir()
    const { agent, root } = kept(directory, [say('One.'), say('Two.')])
    await agent.chat('first', { taskId: 's' })
    await agent.chat('second', { taskId: 's' })
    expect(await agent.undo('s')).toBe('second')
    await agent[Symbol.asyncDispose]()
    const { agent: later, model } = kept(directory, [say('Three.')], { root })
    await using _ = later
    await later.chat('third', { taskId: 's' })
    expect(server.requests(model)[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'first', 'One.', 'third',
    ])
    await later.clear('s')
    expect((await later.task({ taskId: 's' })).messages).toEqual([])
  })

  it('are held by one at a time', async () => {
    const directory = tempDir()
    const [one, two] = [kept(directory, [say('Hi.')]).agent, kept(directory, [say('Hi.')]).agent]
    await one.chat('Hello', { taskId: 's' })
    await expect(two.chat('Hello', { taskId: 's' })).rejects.toMatchObject({
      code: 'LOCKED', message: 'Session s is open in this process already',
    })
    await one[Symbol.asyncDispose]()
    expect(await two.chat('Hello', { taskId: 's' })).toBe('Hi.')
    await two[Symbol.asyncDispose]()
  })

  it.each(['../up', 'a/b', '', '.hidden'])('have no id like %j', async (taskId) => {
    await using agent = kept(tempDir(), []).agent
    await expect(agent.chat('Hello', { taskId })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('bear a torn last line', async () => {
    const directory = tempDir()
    const { agent, root } = kept(directory, [say('One.')])
    await agent.chat('first', { taskId: 's' })
    await agent[Symbol.asyncDispose]()
    appendFileSync(join(directory, 's.jsonl'), '{"type":"message","message":{"role":"us')
    const { agent: later, model } = kept(directory, [say('Two.')], { root })
    await later.chat('second', { taskId: 's' })
    await later[Symbol.asyncDispose]()
    expect(server.requests(model)[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'first', 'One.', 'second',
    ])
    const { agent: last, model: again } = kept(directory, [say('Three.')], { root })
    await using _ = last
    await last.chat('third', { taskId: 's' })
    expect(server.requests(again)[0]?.messages).toHaveLength(6)
  })

  it('say that the disk is full, and run nothing then', async () => {
    const directory = tempDir()
    symlinkSync('/dev/full', join(directory, 's.jsonl'))
    const { agent, root } = kept(directory, [say('', write('a', '1')), say('Done.')])
    await using _ = agent
    await expect(agent.chat('Go', { taskId: 's' })).rejects.toMatchObject({
      code: 'ENOSPC', message: expect.stringContaining('Session s could not be written'),
    })
    expect(readTree(root)).toEqual({})
  })

  it.each([
    ['completed: told, not run again', ['start', 'result'], '"success":true', { }],
    ['at work: of unknown outcome', ['start'], 'Unknown outcome', {}],
    ['not begun: run now', [], '"success":true', { made: 'x' }],
  ] as const)('whose process ended with a call that had %s', async (_, reached, told, tree) => {
    const directory = tempDir()
    const call = { id: 'c1', tool: 'execute_command', parameters: {} }
    const called = { name: 'execute_command', arguments: JSON.stringify({ command: 'printf x > made' }) }
    const records = [
      { type: 'session', version: 1, id: 's', createdMs: 1 }, { type: 'open', pid: 1, at: '' },
      { type: 'message', message: { role: 'user', content: 'Go' } },
      {
        type: 'message',
        message: { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: called }] },
      },
      { type: 'calls', calls: [call] },
      ...reached.map((type) => (type === 'start' ? { type, id: 'c1' } : {
        type, id: 'c1', result: { success: true, action: 'execute_command' },
      })),
    ]
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 's.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const { agent, model, root } = kept(directory, [say('Went on.')])
    await using _agent = agent
    expect((await agent.task({ taskId: 's' })).isUnfinished).toBe(true)
    expect((await eventsOf(agent.resume({ taskId: 's' }))).at(-1)).toEqual({
      type: 'end', reason: 'answer', text: 'Went on.',
    })
    expect(server.requests(model)[0]?.messages.at(-1)).toMatchObject({
      role: 'tool', content: expect.stringContaining(told),
    })
    expect(readTree(root)).toEqual(tree)
  })
})
