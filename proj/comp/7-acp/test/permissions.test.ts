import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'
import { openEditor } from './support/editors.js'

const server = useModelServer()
const other = fileURLToPath(new URL('../../5-executor/test-data/mcp-client/other-server.mjs', import.meta.url))
const asking = { policy: { verbs: { exec: 'ask', write: 'ask' } } } as const

it('asks with all of what would run, at the call that asks, and for as long as the option says', async () => {
  server.play('asks', [
    say('', ['execute_command', { command: 'echo one\necho two > made.txt' }]),
    say('', ['execute_command', { command: 'echo one\necho two > made.txt' }]),
    say('', ['execute_command', { command: 'echo three' }]), say('Done.'),
  ])
  await using editor = await openEditor(server, {
    model: 'asks', agent: asking, answer: () => (editor.questions.length === 1 ? 'session' : 'deny'),
  })
  await editor.say(await editor.newSession(), 'run it')
  const [first, second] = editor.questions
  expect(editor.questions).toHaveLength(2)
  const text = JSON.stringify(first?.toolCall.content)
  expect(text).toContain('echo one\\necho two > made.txt')
  expect(text).toContain(`in ${editor.root}`)
  expect(first?.options.map(({ kind, optionId }) => [kind, optionId])).toEqual([
    ['allow_once', 'once'], ['allow_always', 'session'], ['allow_always', 'kind'], ['reject_once', 'deny'],
  ])
  const calls = editor.of('tool_call').map(({ toolCallId }) => toolCallId)
  expect([first?.toolCall.toolCallId, second?.toolCall.toolCallId]).toEqual([calls[0], calls[2]])
  expect(second?.toolCall.title).toBe('execute_command  echo three')
  expect(existsSync(join(editor.root, 'made.txt'))).toBe(true)
  expect(JSON.stringify(server.requests('asks').at(-1)?.messages.at(-1))).toContain('APPROVAL_DENIED')
})

it('shows the difference that a write would make before it is made', async () => {
  server.play('writes', [say('', ['write_file', { path: 'a.txt', content: 'new\n' }]), say('Done.')])
  await using editor = await openEditor(server, {
    model: 'writes', agent: asking, answer: () => {
      expect(existsSync(join(editor.root, 'a.txt'))).toBe(false)
      return 'once'
    },
  })
  await editor.say(await editor.newSession(), 'write')
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain('+new')
  expect(readFileSync(join(editor.root, 'a.txt'), 'utf8')).toBe('new\n')
})

it('takes no answer that is none of the options, nor an error, for a consent', async () => {
  server.play('odd', [say('', ['execute_command', { command: 'touch made' }]), say('No.')])
  await using editor = await openEditor(server, { model: 'odd', agent: asking, answer: () => 'yes-to-all' })
  await editor.say(await editor.newSession(), 'run')
  expect(existsSync(join(editor.root, 'made'))).toBe(false)
  expect(JSON.stringify(server.requests('odd').at(-1)?.messages.at(-1))).toContain('no clear answer')
})

it('asks for nothing in the mode auto, and offers verbs that read alone in the mode plan', async () => {
  server.improvise('modes', ({ messages }) => (messages.at(-1)?.role === 'user'
    ? say('', ['write_file', { path: 'a.txt', content: 'a' }]) : say('Done.')))
  await using editor = await openEditor(server, { model: 'modes', agent: asking, answer: () => 'deny' })
  const sessionId = await editor.newSession()
  const setMode = async (modeId: string) => editor.agent.request('session/set_mode', { sessionId, modeId })
  await expect(setMode('everything')).rejects.toMatchObject({ code: -32602 })
  await setMode('plan')
  await editor.say(sessionId, 'plan it')
  const offered = server.requests('modes')[0]?.tools?.map(({ function: { name } }) => name) ?? []
  expect(offered).toContain('read_file')
  expect(offered.filter((name) => /write|delete|execute|edit/.test(name))).toEqual([])
  expect(existsSync(join(editor.root, 'a.txt'))).toBe(false)
  await setMode('auto')
  await editor.say(sessionId, 'do it')
  expect(existsSync(join(editor.root, 'a.txt'))).toBe(true)
  expect(editor.questions).toEqual([])
  await setMode('ask')
  await editor.say(sessionId, 'again')
  expect(editor.questions).toHaveLength(1)
})

it('offers no mode that would give verbs which the user left out', async () => {
  await using editor = await openEditor(server, { agent: { enabledToolsets: ['git'] } })
  const { modes } = await editor.agent.request('session/new', { cwd: editor.root, mcpServers: [] })
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(['ask', 'auto'])
})

it('writes over nothing that the editor holds unsaved, and goes on where it only has not looked again', async () => {
  server.play('unsaved', [
    say('', ['write_file', { path: 'a.txt', content: 'mine\n' }], ['write_file', { path: 'b.txt', content: '2\n' }]),
    say('', ['write_file', { path: 'b.txt', content: '3\n' }], ['write_file', { path: 'c.txt', content: 'c\n' }]),
    say('Done.'),
  ])
  const held: Record<string, string> = { 'a.txt': 'typed\n', 'b.txt': '1\n' }
  await using editor = await openEditor(server, {
    model: 'unsaved', capabilities: { fs: { readTextFile: true } },
    held: (path) => held[path.slice(editor.root.length + 1)],
  })
  for (const [name, text] of [['a.txt', 'saved\n'], ['b.txt', '1\r\n']] as const) {
    writeFileSync(join(editor.root, name), text)
  }
  await editor.say(await editor.newSession(), 'write')
  const read = (name: string) => readFileSync(join(editor.root, name), 'utf8')
  expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['saved\n', '3\n', 'c\n'])
  expect(JSON.stringify(server.requests('unsaved')[1]?.messages)).toContain('that are not saved')
})

it.each(['named', 'real'] as const)('asks for unsaved text by the %s path of a directory that is a link', async (which) => {
  server.play(`link-${which}`, [
    say('', ['write_file', { path: 'a.txt', content: 'mine\n' }], ['write_file', { path: 'b.txt', content: 'b\n' }]),
    say('Done.'),
  ])
  const link = join(tempDir(), 'link')
  await using editor = await openEditor(server, {
    model: `link-${which}`, capabilities: { fs: { readTextFile: true } },
    held: (path) => (path === join(which === 'named' ? link : editor.root, 'a.txt') ? 'typed\n' : undefined),
  })
  symlinkSync(editor.root, link)
  writeFileSync(join(editor.root, 'a.txt'), 'saved\n')
  await editor.say(await editor.newSession({ cwd: link }), 'write')
  expect(readFileSync(join(editor.root, 'a.txt'), 'utf8')).toBe('saved\n')
  const path = join(link, 'b.txt')
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({ content: [{ type: 'diff', path }], locations: [{ path }] })
})

it.each([[{}], [{ content: null }]])('takes %j for no word that the editor holds nothing unsaved', async (answer) => {
  const model = `odd-text-${Object.keys(answer).length}`
  server.play(model, [say('', ['write_file', { path: 'a.txt', content: 'mine\n' }]), say('Done.')])
  await using editor = await openEditor(server, {
    model, capabilities: { fs: { readTextFile: true } }, answerText: () => answer,
  })
  writeFileSync(join(editor.root, 'a.txt'), 'saved\n')
  await editor.say(await editor.newSession(), 'write')
  expect(readFileSync(join(editor.root, 'a.txt'), 'utf8')).toBe('saved\n')
  expect(JSON.stringify(server.requests(model).at(-1)?.messages.at(-1))).toContain('CHANGED_ON_DISK')
})

it('calls tools of the servers that the editor names, after asking, under a name that a verb can have', async () => {
  server.play('servers', [say('', ['mcp_My-server_echo', { text: 'hello there' }]), say('Done.')])
  await using editor = await openEditor(server, { model: 'servers' })
  const given = { name: 'My server', command: process.execPath, args: [other], env: [] }
  const sessionId = await editor.newSession({ mcpServers: [given] })
  await editor.say(sessionId, 'call it')
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain('hello there')
  expect(JSON.stringify(server.requests('servers').at(-1)?.messages.at(-1))).toContain('hello there')
  const sse = { type: 'sse' as const, name: 'old', url: 'https://example.com/sse', headers: [] }
  await expect(editor.newSession({ mcpServers: [sse] })).rejects.toThrow(/SSE/)
})
