import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readTree } from '../../../../test/support/file-tree.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { createRunId, redo, undo } from '../../../3-transaction/src/index.js'
import { openSessionStore } from '../../src/agent/index.js'
import { say } from './support/script.js'
import { useAgents } from './support/use-agents.js'

const { server, agentFor } = useAgents()

/** As `hermes undo` and `hermes redo` do it, in the root. */
async function reverse(root: string, act: typeof redo): Promise<void> {
  await act({
    root, gate: createPathGate({ root, allow: [], forUser: true }), runId: createRunId(), force: false, git: false,
    durable: false, waitMs: 0, signal: new AbortController().signal,
  })
}

describe('what hermes undo took back of a conversation', () => {
  it('is told to the model with the next message, once, also after a restart, and so is a redo', async () => {
    const [root, sessions] = [tempDir(), openSessionStore({ directory: tempDir() })]
    const { agent, model } = agentFor([
      say('', ['write_file', { path: 'a', content: '1' }], ['write_file', { path: 'b', content: '2' }]), say('Made.'),
    ], { root, sessions })
    await agent.chat('make two files', { taskId: 'one' })
    await agent[Symbol.asyncDispose]()
    await reverse(root, undo)
    expect(readTree(root)).toEqual({})
    const { agent: later, model: again } = agentFor([say('I see.'), say('Yes.'), say('So be it.')], { root, sessions })
    await using _ = later
    for (const message of ['go on', 'really?']) await later.chat(message, { taskId: 'one' })
    await reverse(root, redo)
    await later.chat('and now', { taskId: 'one' })
    const said = server.requests(again).map(({ messages }) => messages.at(-1)?.content)
    const rest = 'what the work on "make two files" changed in: a, b. Read these files again before you change them.]'
    expect(said).toEqual([
      `go on\n\n[hermes: The user took back (hermes undo) ${rest}`, 'really?',
      `and now\n\n[hermes: The user made again (hermes redo) ${rest}`,
    ])
    expect(server.requests(model)).toHaveLength(2)
    expect((await later.messages('one')).map(({ text }) => text)).toEqual([
      'make two files', 'go on', 'really?', 'and now',
    ])
  })

  it('is told with the next message where the one that it was told with is taken back', async () => {
    const { agent, model, root } = agentFor([
      say('', ['write_file', { path: 'a', content: '1' }]), say('Made.'), say('I see.'), say('Yes.'), say('Well.'),
    ])
    await using _ = agent
    await agent.chat('make a file')
    await reverse(root, undo)
    await agent.note('They ran a command.')
    await agent.chat('go on')
    expect(await agent.undo()).toBe('go on')
    await agent.chat('go on then')
    await agent.chat('really?')
    const [first, second, third] = server.requests(model).slice(2).map(({ messages }) => messages.at(-1)?.content ?? '')
    expect(first).toMatch(/^go on\n\n\[hermes: They ran a command\. The user took back [^]*\]$/)
    expect(second).toBe(first?.replace('go on', 'go on then'))
    expect(third).toBe('really?')
  })
})
