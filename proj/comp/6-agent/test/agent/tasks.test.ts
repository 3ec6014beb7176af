import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { openSessionStore } from '../../src/agent/index.js'
import { say } from './support/script.js'
import { eventsOf, useAgents } from './support/use-agents.js'

const { server, agentFor } = useAgents()

function add(path: string): [string, Record<string, unknown>] {
  return ['context_add', { path }]
}

describe('the working context', () => {
  it.each(['native', 'blocks'] as const)('is in the next prompts as it then is, and counted (%s)', async (style) => {
    const call = `<tool_call>${JSON.stringify({ name: 'context_add', arguments: { path: 'notes' } })}</tool_call>\n`
    const first = style === 'native' ? say('', add('notes')) : say(call)
    const { agent, model, root } = agentFor([first, say('Added.'), say('Seen.')], {
      style, enabledToolsets: ['context', 'core'],
    })
    await using _ = agent
    writeFileSync(join(root, 'notes'), 'the first form\n')
    const before = await eventsOf(agent.run('Keep notes in view'))
    writeFileSync(join(root, 'notes'), 'the other form\n')
    await agent.chat('And now?')
    const [bare, second, third] = server.requests(model).map(({ messages }) => messages.slice(1))
    expect(JSON.stringify(bare)).not.toContain('Working context')
    expect(second?.[0]).toMatchObject({ role: 'user', content: expect.stringContaining('the first form') })
    expect(second?.[1]?.content).toBe('Keep notes in view')
    expect(third?.at(-2)).toMatchObject({ role: 'user', content: expect.stringContaining('the other form') })
    expect(JSON.stringify(third)).not.toContain('the first form')
    const usage = before.filter((event) => event.type === 'usage')
    expect(usage.map(({ context }) => context !== undefined && context > 0)).toEqual([false, true])
  })

  it('is of its task alone, comes back with the session, and goes when the conversation is cleared', async () => {
    const [directory, root] = [tempDir(), tempDir()]
    writeFileSync(join(root, 'a'), 'content of a')
    writeFileSync(join(root, 'b'), 'content of b')
    const options = { root, sessions: openSessionStore({ directory }), enabledToolsets: ['context'] }
    const { agent, model } = agentFor([
      say('', add('a'), add('b'), ['context_remove', { path: 'b' }]), say('Kept.'), say('Other.'),
    ], options)
    await agent.chat('Keep', { taskId: 'one' })
    await agent.chat('Hello', { taskId: 'two' })
    expect(JSON.stringify(server.requests(model)[2]?.messages)).not.toContain('content of a')
    await agent[Symbol.asyncDispose]()
    const { agent: later, model: again } = agentFor([say('Still.'), say('Fresh.')], options)
    await using _ = later
    await later.chat('And?', { taskId: 'one' })
    await later.clear('one')
    await later.chat('Anew', { taskId: 'one' })
    const [resumed, cleared] = server.requests(again).map(({ messages }) => JSON.stringify(messages))
    expect(resumed).toContain('content of a')
    expect(resumed).not.toContain('content of b')
    expect(cleared).not.toContain('content of a')
  })
})

it('are answered while another one runs a command in the same root', async () => {
  const { agent, model, root } = agentFor([])
  await using _ = agent
  const command = 'touch begun; while [ ! -e go ]; do sleep 0.05; done'
  server.improvise(model, ({ messages }) => (
    messages.at(-1)?.content === 'work' ? say('', ['execute_command', { command }]) : say('Answered.')
  ))
  const working = agent.chat('work', { taskId: 'one' })
  while (!existsSync(join(root, 'begun'))) await sleep(10)
  expect(await agent.chat('Are you there?', { taskId: 'two' })).toBe('Answered.')
  writeFileSync(join(root, 'go'), '')
  expect(await working).toBe('Answered.')
})

describe('shells', () => {
  it('are of their task alone, and end with it', async () => {
    const { agent, model, root } = agentFor([], { enabledToolsets: ['terminal'] })
    await using _ = agent
    server.improvise(model, ({ messages }) => {
      const [, asked, ...rest] = messages
      return rest.length > 0 ? say('Done.') : say('', ['terminal_run', { command: asked?.content ?? '' }])
    })
    const [one, two] = [{ taskId: 'one' }, { taskId: 'two' }]
    await Promise.all([
      agent.chat('NAME=first; sleep 600 & echo $$ $! > first', one), agent.chat('echo $$ > second', two),
    ])
    const [first = 0, beside = 0] = pids(root, 'first')
    const [second = 0] = pids(root, 'second')
    await Promise.all([agent.clear('one'), agent.clear('two')])
    await Promise.all([agent.chat('echo "$$" > same; test "$NAME" = first && touch kept', one), agent.chat(
      'test -z "$NAME" && touch apart', two,
    )])
    expect(pids(root, 'same')).toEqual([first])
    expect([existsSync(join(root, 'kept')), existsSync(join(root, 'apart'))]).toEqual([true, true])
    await agent.end('one')
    expect([first, beside, second].map(runs)).toEqual([false, false, true])
    await agent.end('two')
    expect(runs(second)).toBe(false)
  })
})

function pids(root: string, name: string): number[] {
  return readFileSync(join(root, name), 'utf8').trim().split(' ').map(Number)
}

/** One that has ended and waits for its parent counts as ended. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
