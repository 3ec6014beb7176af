import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'
import { openEditor, type Editor } from './support/editors.js'

const server = useModelServer()
const asking = { policy: { verbs: { exec: 'ask' } } } as const
/** Prints at once, and writes a file after a time that no test waits for. */
const SLOW = 'echo begun; sleep 600; touch late'

async function cancel(editor: Editor, sessionId: string): Promise<void> {
  await editor.agent.notify('session/cancel', { sessionId })
}

it('stops a model that hangs', async () => {
  server.play('hangs', [{ ...say('I begin'), fault: 'hang' }, say('Yes.')])
  await using editor = await openEditor(server, {
    model: 'hangs', onUpdate: ({ sessionUpdate }) => {
      if (sessionUpdate === 'agent_message_chunk') void cancel(editor, id)
    },
  })
  const id = await editor.newSession()
  expect(await editor.say(id, 'go')).toBe('cancelled')
  expect(await editor.say(id, 'still there?')).toBe('cancelled')
  expect(server.requests('hangs')).toHaveLength(2)
})

it('kills a command, and says so of its call', async () => {
  server.play('slow', [say('', ['execute_command', { command: SLOW }]), say('Never said.')])
  await using editor = await openEditor(server, {
    model: 'slow', onUpdate: (update) => {
      if (update.sessionUpdate === 'tool_call_update' && JSON.stringify(update).includes('begun')) void cancel(editor, id)
    },
  })
  const id = await editor.newSession()
  expect(await editor.say(id, 'go')).toBe('cancelled')
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' })
  expect(server.requests('slow')).toHaveLength(1)
})

it('gives up a question that is never answered, when it is cancelled', async () => {
  server.play('unanswered', [say('', ['execute_command', { command: 'touch made' }]), say('Never said.')])
  await using editor = await openEditor(server, {
    model: 'unanswered', agent: asking, answer: ({ sessionId }) => {
      void cancel(editor, sessionId)
      return undefined
    },
  })
  const id = await editor.newSession()
  expect(await editor.say(id, 'go')).toBe('cancelled')
  expect(existsSync(join(editor.root, 'made'))).toBe(false)
})

it('answers one message of a session at a time, and may be told to change to auto meanwhile, not to plan', async () => {
  server.play('busy', [say('', ['execute_command', { command: 'echo x' }]), say('Done.')])
  let told: Promise<PromiseSettledResult<unknown>[]> | undefined
  await using editor = await openEditor(server, {
    model: 'busy', agent: asking, answer: ({ sessionId }) => {
      const setMode = async (modeId: string) => editor.agent.request('session/set_mode', { sessionId, modeId })
      told = Promise.allSettled([editor.say(sessionId, 'me too'), setMode('plan'), setMode('auto')])
      return 'once'
    },
  })
  expect(await editor.say(await editor.newSession(), 'go')).toBe('end_turn')
  expect(await told).toMatchObject([
    { reason: { message: expect.stringContaining('being answered') } },
    { reason: { message: expect.stringContaining('answering') } }, { status: 'fulfilled' },
  ])
})

it('stops what runs when the editor goes away, and has nothing written by halves', async () => {
  server.play('leaves', [say('', ['execute_command', { command: SLOW }]), say('Never said.')])
  const editor = await openEditor(server, {
    model: 'leaves', onUpdate: (update, { input }) => {
      if (JSON.stringify(update).includes('begun')) input.end()
    },
  })
  const id = await editor.newSession()
  await expect(editor.say(id, 'go')).rejects.toThrow(/closed/)
  expect(await editor.served).toBeUndefined()
  expect(existsSync(join(editor.root, 'late'))).toBe(false)
  const kept = readFileSync(join(editor.kept, `${id}.jsonl`), 'utf8').trimEnd().split('\n')
  for (const line of kept) expect(() => { JSON.parse(line) }).not.toThrow()
  await using next = await openEditor(server, { model: 'leaves', kept: editor.kept })
  const params = { sessionId: id, cwd: editor.root, mcpServers: [] }
  expect(await next.agent.request('session/resume', params)).toMatchObject({ modes: { currentModeId: 'ask' } })
  expect(await next.say(id, 'and now?')).toBe('end_turn')
})

it('answers what is no message and goes on, until one is longer than any message is', async () => {
  server.play('garbage', [say('Still here.')])
  await using editor = await openEditor(server, { model: 'garbage' })
  editor.input.write('no JSON at all\n\u0000\u0001\n[1,2]\n"text"\n{"jsonrpc":"2.0"}\n\n')
  editor.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'session/prompt', params: { prompt: 7 } })}\n`)
  expect(await editor.say(await editor.newSession(), 'hello')).toBe('end_turn')
  editor.input.write(Buffer.alloc(33 * 2 ** 20, 'x'))
  expect((await editor.served)?.message).toMatch(/exceeds/)
})

it('holds a bounded number of sessions', async () => {
  await using editor = await openEditor(server)
  const ids = await Promise.all(Array.from({ length: 64 }, async () => editor.newSession()))
  await expect(editor.newSession()).rejects.toThrow(/64 sessions are open/)
  await editor.agent.request('session/close', { sessionId: ids[0] ?? '' })
  expect(await editor.newSession()).not.toBe('')
})

it('stops at the end of the turns with the reason, and goes on where the user says so', async () => {
  server.improvise('turns', ({ messages }) => say('', ['read_file', { path: `${messages.length}.txt` }]))
  await using editor = await openEditor(server, {
    model: 'turns', agent: { maxTurns: 1 }, answer: () => (editor.questions.length < 2 ? 'yes' : 'no'),
  })
  expect(await editor.say(await editor.newSession(), 'go')).toBe('max_turn_requests')
  expect(server.requests('turns')).toHaveLength(2)
})
