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
})
