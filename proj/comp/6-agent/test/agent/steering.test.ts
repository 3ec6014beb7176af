import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/index.js'
import { say } from './support/script.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { useModelServer } from './support/use-model-server.js'

const LS = { path: '.' }

describe('what the user says while the model works', () => {
  const server = useModelServer()

  it.each(['native', 'blocks'] as const)('is given to it with the results of its calls (%s)', async (style) => {
    const block = '```sham\n#!SHAM [@three-char-SHA-256: abc]\naction = "ls"\npath = "/"\n#!END_SHAM_abc\n```'
    server.play(style, [
      style === 'native' ? say('', ['list_directory', LS]) : say(block),
      style === 'native' ? say('', ['list_directory', LS]) : say(block), say('Done.'),
    ])
    await using agent = new Agent({
      model: style, style, baseURL: server.url, apiKey: 'x', root: tempDir(), policy: false, quiet: true,
    })
    const waiting = ['Look at b.']
    const events = []
    for await (const event of agent.run('Go.', { steer: () => waiting.shift() })) events.push(event)
    expect(events.find(({ type }) => type === 'steer')).toEqual({ type: 'steer', text: 'Look at b.' })
    const [first, second, third] = server.requests(style)
    expect(JSON.stringify(first?.messages)).not.toContain('Look at b.')
    expect(second?.messages.at(-1)?.role).toBe('user')
    expect(second?.messages.at(-1)?.content).toMatch(/The user says, while you work:\nLook at b\.$/)
    const roles = (third?.messages ?? []).map(({ role }) => role)
    expect(roles.filter((role, at) => role === 'user' && roles[at - 1] === 'user')).toEqual([])
    // It is part of the message that is being answered, and goes with it.
    expect(await agent.messages()).toHaveLength(1)
    expect(await agent.undo()).toBe('Go.')
    expect((await agent.task()).messages).toEqual([])
  })

  it('is not asked for where no call came', async () => {
    server.play('m', [say('At once.')])
    await using agent = new Agent({ model: 'm', baseURL: server.url, apiKey: 'x', root: tempDir(), policy: false, quiet: true })
    const waiting = ['Look at b.']
    expect(await agent.chat('Go.', { steer: () => waiting.shift() })).toBe('At once.')
    expect(waiting).toEqual(['Look at b.'])
  })
})
