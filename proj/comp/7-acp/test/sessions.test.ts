import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'
import { openEditor } from './support/editors.js'

const server = useModelServer()

it('says who it is and what it takes, whatever version the client speaks', async () => {
  await using editor = await openEditor(server)
  const greeted = await editor.agent.request('initialize', { protocolVersion: 99, clientCapabilities: {} })
  expect(greeted).toMatchObject({
    protocolVersion: 1, agentInfo: { name: 'hermes', version: '1.2.3' },
    agentCapabilities: { loadSession: true, promptCapabilities: { embeddedContext: true, image: true } },
  })
  await expect(editor.agent.request('no/such', {})).rejects.toMatchObject({ code: -32601 })
})

it('streams thoughts and text, and shows an edit as a difference, with its place', async () => {
  server.play('edits', [
    { ...say('I change it.', ['edit_replace', { path: 'a.txt', old_text: 'one', new_text: 'two' }]), reasoning: 'Hm.' },
    say('It is done.'),
  ])
  await using editor = await openEditor(server, { model: 'edits' })
  const file = join(editor.root, 'a.txt')
  writeFileSync(file, 'one\n')
  const id = await editor.newSession()
  expect(await editor.say(id, 'change it')).toBe('end_turn')
  expect(readFileSync(file, 'utf8')).toBe('two\n')
  expect(editor.text()).toBe('I change it.It is done.')
  expect(editor.of('agent_thought_chunk')).toEqual([expect.objectContaining({ content: { type: 'text', text: 'Hm.' } })])
  const [call] = editor.of('tool_call')
  expect(call).toMatchObject({
    kind: 'edit', status: 'in_progress', title: 'edit_replace  a.txt', locations: [{ path: file }],
    rawInput: { path: 'a.txt', old_text: 'one', new_text: 'two' },
  })
  expect(editor.of('tool_call_update')).toEqual([{
    sessionUpdate: 'tool_call_update', toolCallId: call?.toolCallId, status: 'completed',
    content: [{ type: 'diff', path: file, oldText: 'one\n', newText: 'two\n' }], locations: [{ path: file }],
  }])
  expect(editor.of('session_info_update')).toMatchObject([{ title: 'change it' }])
})

it('shows what a command printed, and why a call failed', async () => {
  server.play('fails', [
    say('', ['execute_command', { command: 'echo hello; exit 3' }], ['read_file', { path: 'none.txt' }]), say('No.'),
  ])
  await using editor = await openEditor(server, { model: 'fails' })
  await editor.say(await editor.newSession(), 'try')
  const ended = editor.of('tool_call_update').filter(({ status }) => status === 'failed')
  expect(ended.map(({ content }) => JSON.stringify(content))).toEqual([
    expect.stringContaining('```console\\nhello'), expect.stringContaining('ENOENT'),
  ])
})

it('shows no escape sequence of a command or a title, and no character that turns a line', async () => {
  const command = String.raw`printf '\033[31mred \342\200\256x\n'; exit 3`
  server.play('escapes', [say('', ['execute_command', { command }]), say('No.')])
  await using editor = await openEditor(server, { model: 'escapes' })
  await editor.say(await editor.newSession(), 'a \u001b[2J\u202etitle')
  const { sessions } = await editor.agent.request('session/list', {})
  const titles = [editor.of('session_info_update')[0]?.title, sessions[0]?.title]
  expect(titles).toEqual([String.raw`a \x1b[2J\u202etitle`, String.raw`a \x1b[2J\u202etitle`])
  const shown = editor.of('tool_call_update').flatMap(({ content }) => content ?? [])
    .map((one) => (one.type === 'content' && one.content.type === 'text' ? one.content.text : ''))
  expect(shown.filter((text) => text.includes(String.raw`\x1b[31mred \u202ex`))).toHaveLength(2)
  expect(shown.join('')).not.toMatch(/[\u001b\u202e]/)
})

it('lists nothing again where a list cannot go on', async () => {
  await using editor = await openEditor(server)
  await editor.newSession()
  await expect(editor.agent.request('session/list', { cursor: 'gone' })).rejects.toMatchObject({ code: -32602 })
})

it('goes on with a kept session in another process, and tells what was said in it', async () => {
  server.play('keeps', [say('I write.', ['write_file', { path: 'b.txt', content: 'b\n' }]), say('Written.'), say('Yes.')])
  const before = await openEditor(server, { model: 'keeps' })
  const id = await before.newSession()
  await before.say(id, 'write it')
  await using other = await openEditor(server, { model: 'keeps', kept: before.kept })
  const load = { sessionId: id, cwd: before.root, mcpServers: [] }
  await expect(other.agent.request('session/load', load)).rejects.toThrow(/open in this process already/)
  await before.leave()
  expect((await other.agent.request('session/list', { cwd: before.root })).sessions).toEqual([
    expect.objectContaining({ sessionId: id, cwd: before.root, title: 'write it' }),
  ])
  await expect(other.agent.request('session/load', { ...load, cwd: other.root })).rejects.toThrow(/another directory/)
  expect(await other.agent.request('session/load', load)).toMatchObject({ modes: { currentModeId: 'ask' } })
  expect(other.updates.map(({ update }) => update.sessionUpdate).filter((kind) => kind !== 'available_commands_update'))
    .toEqual(['user_message_chunk', 'agent_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'])
  expect(await other.say(id, 'is it there?')).toBe('end_turn')
  expect(server.requests('keeps').at(-1)?.messages.map(({ role }) => role))
    .toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
  await other.agent.request('session/delete', { sessionId: id })
  expect((await other.agent.request('session/list', {})).sessions).toEqual([])
  await expect(other.say(id, 'hello')).rejects.toMatchObject({ code: -32002 })
})

it('works in two sessions at once, each in its own directory', async () => {
  server.improvise('two', ({ messages }) => {
    const [last] = messages.slice(-1)
    if (last?.role !== 'user') return say('ok')
    return say('', ['write_file', { path: 'x.txt', content: last.content ?? '' }])
  })
  await using editor = await openEditor(server, { model: 'two' })
  await using second = await openEditor(server, { model: 'two' })
  const ids = [await editor.newSession(), await editor.newSession({ cwd: second.root })]
  await Promise.all([editor.say(ids[0] ?? '', 'first'), editor.say(ids[1] ?? '', 'second')])
  expect([editor.root, second.root].map((root) => readFileSync(join(root, 'x.txt'), 'utf8'))).toEqual(['first', 'second'])
  await expect(editor.newSession({ cwd: 'relative' })).rejects.toThrow(/absolute path/)
  await expect(editor.newSession({ cwd: join(editor.root, 'none') })).rejects.toThrow(/No directory/)
})

it('offers the commands of the chat that an editor lacks, and does what they say', async () => {
  server.play('undoes', [say('', ['write_file', { path: 'c.txt', content: 'c\n' }]), say('Done.')])
  await using editor = await openEditor(server, { model: 'undoes' })
  const id = await editor.newSession()
  await editor.say(id, 'write c')
  const [offered] = editor.of('available_commands_update')
  expect(offered?.availableCommands.map(({ name }) => name)).toEqual([
    'diff', 'undo', 'commit', 'compact', 'cost', 'tools', 'save', 'model', 'skills', 'personality',
  ])
  expect(await editor.say(id, '/diff')).toBe('end_turn')
  expect(editor.text()).toContain('+c')
  await editor.say(id, '/undo')
  expect(existsSync(join(editor.root, 'c.txt'))).toBe(false)
  expect(editor.text()).toContain('as before: c.txt')
  await expect(editor.say(id, '/personality nobody')).rejects.toThrow(/Unknown personality/)
})

it('takes names and contents of files, and refuses what no model would get', async () => {
  server.play('files', [say('I see.'), say('That, too.')])
  await using editor = await openEditor(server, { model: 'files' })
  const sessionId = await editor.newSession()
  const uri = `file://${editor.root}/src/a b.ts`
  const link = { type: 'resource_link' as const, name: 'a b.ts', uri: `${uri.replace(' ', '%20')}#L3:9` }
  await editor.agent.request('session/prompt', {
    sessionId, prompt: [
      { type: 'text', text: 'Look at ' }, link, { type: 'text', text: ' and ' },
      { type: 'resource', resource: { uri: 'file:///elsewhere/b.md', text: '```\ncode\n```\n' } },
    ],
  })
  expect(server.requests('files')[0]?.messages.at(-1)?.content).toBe(
    'Look at `src/a b.ts#L3:9` and `/elsewhere/b.md`\n\n`/elsewhere/b.md`, as the editor has it:\n'
    + '````text\n```\ncode\n```\n````',
  )
  const odd = { type: 'resource_link' as const, name: 'odd', uri: 'file:///elsewhere/100%.md' }
  await editor.agent.request('session/prompt', { sessionId, prompt: [odd] })
  expect(server.requests('files')[1]?.messages.at(-1)?.content).toBe('`file:///elsewhere/100%.md`')
  await expect(editor.agent.request('session/prompt', {
    sessionId, prompt: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
  })).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('no sound') })
  await expect(editor.agent.request('session/prompt', {
    sessionId, prompt: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
  })).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('no images but PNG') })
})

it('shows the model images of a message, and those that it names', async () => {
  server.play('sees', [say('Two dots.'), say('None.')])
  await using editor = await openEditor(server, { model: 'sees' })
  const sessionId = await editor.newSession()
  writeFileSync(join(editor.root, 'a.gif'), 'GIF89a')
  const data = Buffer.from('GIF87a').toString('base64')
  await editor.agent.request('session/prompt', {
    sessionId, prompt: [{ type: 'text', text: 'as @a.gif?' }, { type: 'image', data, mimeType: 'image/gif' }],
  })
  const urls = [data, Buffer.from('GIF89a').toString('base64')].map((one) => (
    { type: 'image_url', image_url: { url: `data:image/gif;base64,${one}` } }
  ))
  expect(server.requests('sees')[0]?.messages.at(-1)?.content).toEqual([...urls, { type: 'text', text: 'as @a.gif?' }])
  await editor.say(sessionId, 'and @b.gif?')
  expect(editor.text()).toContain('There is no b.gif')
})

it('says in the editor what keeps the model from answering', async () => {
  server.play('refuses', [{ ...say('no such key'), status: 401 }])
  await using editor = await openEditor(server, { model: 'refuses' })
  await expect(editor.say(await editor.newSession(), 'hello')).rejects.toMatchObject({
    message: expect.stringContaining('no such key'), data: { code: 'MODEL_FAILED' },
  })
})
