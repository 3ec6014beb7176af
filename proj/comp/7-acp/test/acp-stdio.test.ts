import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { client, ndJsonStream, type ClientContext, type SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { plainEnvironment } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'

/** The command as it is built: `npm test` builds first. */
const launcher = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url))
const server = useModelServer()

interface Started {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  agent: ClientContext
  updates: SessionUpdate[]
  /** Standard output, as it came. */
  lines: () => string[]
  ended: Promise<{ exitCode: number | null; stderr: string }>
}

const environment = (home: string) => ({
  ...plainEnvironment(), HOME: home, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x',
})

function start(home: string, args: readonly string[], onUpdate: (update: SessionUpdate) => void = () => undefined): Started {
  const child = spawn(process.execPath, [launcher, 'acp', '--no-git', ...args], {
    cwd: home, env: environment(home), stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => { child.kill('SIGKILL') })
  const updates: SessionUpdate[] = []
  let seen = ''
  const output = new PassThrough()
  child.stdout.on('data', (piece: Buffer) => { seen += piece.toString() }).pipe(output)
  const { agent } = client({ name: 'editor' })
    .onNotification('session/update', ({ params: { update } }) => {
      updates.push(update)
      onUpdate(update)
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    .connect(ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>, Readable.toWeb(output) as ReadableStream<Uint8Array>,
    ))
  const ended = Promise.all([once(child, 'close'), text(child.stderr)])
    .then(([[exitCode], stderr]) => ({ exitCode: exitCode as number | null, stderr }))
  return { child, agent, updates, ended, lines: () => seen.trimEnd().split('\n') }
}

async function begin({ agent }: Started, cwd: string): Promise<string> {
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  return (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId
}

it('works for an editor over its pipes, and hermes undo takes back what a session did', async () => {
  const [home, cwd] = [tempDir(), tempDir()]
  server.play('m', [say('I write.', ['write_file', { path: 'a.txt', content: 'x\n' }]), say('Done.')])
  const started = start(home, ['--model', 'm'])
  const sessionId = await begin(started, cwd)
  const prompt = [{ type: 'text' as const, text: 'write it' }]
  expect(await started.agent.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('x\n')
  started.child.stdin.end()
  expect(await started.ended).toEqual({ exitCode: 0, stderr: '' })
  for (const line of started.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  const undo = spawn(process.execPath, [launcher, 'undo', '--root', cwd, '--no-git'], { cwd, env: environment(home) })
  expect(await once(undo, 'close')).toEqual([0, null])
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
  expect(existsSync(join(home, '.hermes', 'sessions', `${sessionId}.jsonl`))).toBe(true)
})

it('ends, with its commands, when the editor is gone in the middle of one, or ends it by a signal', async () => {
  const [home, cwd] = [tempDir(), tempDir()]
  const command = 'echo $$ > pid; echo begun; sleep 600'
  for (const end of ['pipe', 'SIGTERM'] as const) {
    server.play(`slow-${end}`, [say('', ['execute_command', { command }])])
    const started = start(home, ['--model', `slow-${end}`, '--sandbox', 'none'], (update) => {
      if (!JSON.stringify(update).includes('begun') || update.sessionUpdate !== 'tool_call_update') return
      if (end === 'pipe') started.child.stdin.end()
      else started.child.kill(end)
    })
    const sessionId = await begin(started, cwd)
    const prompt = started.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    await prompt.catch(() => undefined)
    expect((await started.ended).exitCode).toBe(end === 'pipe' ? 0 : 143)
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  }
})

it('ends for an editor that reads nothing of a flood, once it is gone', async () => {
  const [home, cwd] = [tempDir(), tempDir()]
  server.play('flood', [{ ...say('x'.repeat(1000)), chunk: 1000, times: 20_000 }])
  const child = spawn(process.execPath, [launcher, 'acp', '--model', 'flood'], {
    cwd: home, env: environment(home), stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => { child.kill('SIGKILL') })
  const send = (id: number, method: string, params: object): void => void child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`,
  )
  send(1, 'initialize', { protocolVersion: 1 })
  let seen = ''
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    seen += String(piece)
    const [, sessionId] = /"sessionId":"([^"]+)"/.exec(seen) ?? []
    if (sessionId !== undefined) {
      send(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
      break
    }
    send(2, 'session/new', { cwd, mcpServers: [] })
  }
  while (server.requests('flood').length === 0) await sleep(20)
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('tells the editor which setting is missing, and wrong flags before there is one', async () => {
  const home = tempDir()
  const started = start(home, [])
  await expect(begin(started, home)).rejects.toMatchObject({ message: expect.stringContaining('hermes setup') })
  started.child.stdin.end()
  expect((await started.ended).exitCode).toBe(0)
  const wrong = start(home, ['--max-turns', 'many'])
  expect(await wrong.ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--max-turns') })
})
