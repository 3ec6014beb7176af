import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { useSshPlace } from '../../../../test/support/ssh-place.js'
import type { CallStyle } from '../../src/agent/loop-options.js'
import { say } from './support/script.js'
import { useAgents } from './support/use-agents.js'

needing('ssh').describe('a task on another host', () => {
  const place = useSshPlace()
  const { server, agentFor } = useAgents()
  const here = () => ({ root: join(place.local, 'root'), policy: { terminal: { backend: 'ssh' as const } } })

  it.each<CallStyle>(['native', 'blocks'])('is told of that place alone, and works there (%s)', async (style) => {
    const before = place.localState()
    const write = style === 'native' ? say('', ['write_file', { path: 'a.txt', content: 'there' }])
      : say('#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "a.txt"\ncontent = "there"\n#!END_SHAM_abc\n')
    const { agent, model } = agentFor([write, say('Done.')], { ...here(), style })
    await using _ = agent
    await agent.chat('Go')
    const system = String(server.requests(model)[0]?.messages[0]?.content)
    expect(system).toContain(`You work on the host ${place.server.user}@127.0.0.1`)
    expect(system).toContain(place.server.directory)
    expect(system).not.toContain(place.local)
    expect(system).not.toContain('of this machine')
    expect(system).not.toMatch(/git_status|find_symbol|semantic_search/)
    expect(readFileSync(place.there('a.txt'), 'utf8')).toBe('there')
    expect(place.localState()).toBe(before)
  })

  it('takes nothing back and commits nothing, and says why', async () => {
    const { agent } = agentFor([say('Done.')], here())
    await using _ = agent
    await agent.chat('Go')
    const refusal = expect.objectContaining({ code: 'POLICY_DENIED', message: expect.stringContaining('on another host') as string }) as Error
    await expect(agent.requireHere('/undo')).rejects.toThrow(refusal)
    await expect(agent.commit('x')).rejects.toThrow(refusal)
    await expect(agent.committable()).rejects.toThrow(refusal)
  })

  it('fails while the host is not reached, and goes on when it is', async () => {
    writeFileSync(place.there('AGENTS.md'), 'Notes of the host.\n')
    const { agent, model } = agentFor([say('Done.')], here())
    await using _ = agent
    process.env['TERMINAL_SSH_PORT'] = '1'
    await expect(agent.chat('Go')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    process.env['TERMINAL_SSH_PORT'] = String(place.server.port)
    expect(server.requests(model)).toEqual([])
    await agent.chat('Go on')
    expect(String(server.requests(model)[0]?.messages[0]?.content)).toContain('Notes of the host.')
  })
})
