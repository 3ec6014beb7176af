import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CancellationTokenSource } from 'vscode-jsonrpc/node'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { FOREVER, isAlive, pidOf, serveStdio, toolCall } from './clients.js'

const cli = useCli()
type Result = { success: boolean; results: { code?: string; success: boolean; data?: unknown }[] }

it('serves a session from initialize to exit', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'skills/deep'), { recursive: true })
  writeFileSync(join(root, 'skills/deep/a.md'), 'how to')
  // A server runs no hooks, and asks nobody about them.
  writeFileSync(join(root, 'hermes.yaml'), 'hooks:\n  before:\n    - run: touch hooked\n  after:\n    - run: touch hooked\n')
  const { client, told, exited } = serveStdio(cli, root)
  await expect(client.sendRequest('execute', { text: '' })).rejects.toMatchObject({ code: -32002 })

  const capabilities = { approvals: true, questions: true }
  const assetFolders = { skills: 'skills', recordings: 'recordings' }
  const hello = await client.sendRequest('initialize', { workspaceRoot: root, rootAliases: ['/w'], assetFolders, capabilities })
  expect(hello).toMatchObject({ protocolVersion: 1, serverInfo: { name: 'hermes' }, workspaceRoot: root })
  await expect(client.sendRequest('initialize', {})).rejects.toMatchObject({ code: -32600 })

  const asked: unknown[] = []
  client.onRequest('approval/request', (params) => { asked.push(params); return { answer: 'once' } })
  client.onRequest('ui/ask', ({ question }: { question: string }) => ({ answer: `${question} yes` }))
  client.onRequest('ui/confirm', () => ({ confirmed: true }))
  const text = toolCall('write_file', { path: '/w/a.txt', content: 'one\n' }) + toolCall('delete_file', { path: '/w/a.txt' })
    + toolCall('ask_user', { question: 'ok?' }) + toolCall('confirm_action', { action_description: 'drop the table' })
  const result = await client.sendRequest<Result>('execute', { text, progress: true })
  expect(result.results.map(({ success }) => success)).toEqual([true, true, true, true])
  expect(asked).toMatchObject([{ action: 'delete_file', request: expect.any(Number) as number }])
  expect(told.map(([method, { event, finished, total }]) => (
    method === 'execute/event' ? (event as { type: string }).type : `${String(finished)} of ${String(total)}`
  ))).toEqual([1, 2, 3, 4].flatMap((each) => ['block-start', 'block-end', `${each} of 4`]))

  expect(await client.sendRequest('verb/execute', { verb: 'FS.EXISTS', arguments: { path: 'a.txt' } })).toEqual({ succeeded: true, exists: false })
  expect(await client.sendRequest('verb/execute', { verb: 'fs_lineCount', arguments: { path: 'skills/deep/a.md' } })).toMatchObject({ succeeded: true })
  await expect(client.sendRequest('verb/execute', { verb: 'fs.exist' })).rejects.toMatchObject({ code: -32602, data: { code: 'UNKNOWN_ACTION' } })
  await expect(client.sendRequest('verb/execute', { verb: 'fs.exists' })).rejects.toMatchObject({ code: -32602, data: { code: 'MISSING_PARAMETER' } })
  expect(await client.sendRequest('parse', { text: FOREVER })).toMatchObject({ blocks: [{ action: 'execute_command' }], errors: [] })
  const response = JSON.stringify({ type: 'message', role: 'assistant', content: [{ type: 'tool_use', id: 'tu', name: 'write_file', input: { path: 'r.txt', content: 'r' } }] })
  expect(await client.sendRequest('parse', { text: response })).toMatchObject({ blocks: [{ id: 'tu', action: 'write_file' }], errors: [] })
  expect(await client.sendRequest<Result>('execute', { text: response, dryRun: true, events: false })).toMatchObject({ success: true, totalBlocks: 1 })
  const reads = toolCall('read_file', { path: 'skills/deep/a.md' })
  expect(await client.sendRequest('execute', { text: reads, reply: { tokens: 500 } })).toMatchObject({ reply: expect.stringContaining('\n    | how to\n') as string })
  expect(await client.sendRequest('execute', { text: reads, reply: {} })).toMatchObject({ reply: expect.stringContaining('unchanged since you read it') as string })
  await expect(client.sendRequest('execute', { text: reads, reply: { tokens: 499 } })).rejects.toMatchObject({ code: -32602 })
  const { tools } = await client.sendRequest<{ tools: { function: { name: string } }[] }>('tools/list', { toolsets: ['read-only'], format: 'openai' })
  expect(tools.map((tool) => tool.function.name)).toContain('fs_readFile')
  expect(tools.map((tool) => tool.function.name)).not.toContain('write_file')
  expect(await client.sendRequest('tools/show', { name: 'fs.exists', format: 'idl' })).toMatchObject({ tool: { name: 'fs.exists' } })
  await expect(client.sendRequest('tools/show', { name: 'fs.exist' })).rejects.toMatchObject({ code: -32602, data: { hint: 'Did you mean fs.exists?' } })
  expect(await client.sendRequest('assets/list', { kind: 'skills' })).toEqual({ assets: [{ name: 'deep/a.md', bytes: 6 }] })
  expect(await client.sendRequest('assets/read', { kind: 'skills', name: 'deep/a.md' })).toMatchObject({ content: 'how to' })
  await expect(client.sendRequest('assets/read', { kind: 'skills', name: '../recordings' })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })

  const dry = await client.sendRequest<Result>('execute', { text: toolCall('write_file', { path: 'b.txt', content: 'x' }), dryRun: true, events: false })
  expect(dry).toMatchObject({ success: true, dryRun: true })
  expect(existsSync(join(root, 'b.txt'))).toBe(false)
  const [recording = ''] = readdirSync(join(root, 'recordings'))
  expect(readFileSync(join(root, 'recordings', recording), 'utf8').split('\n').filter((line) => line.includes('"type":"run"'))).toHaveLength(3)

  expect(await client.sendRequest('shutdown')).toBeNull()
  await expect(client.sendRequest('execute', { text: '' })).rejects.toMatchObject({ code: -32600 })
  await client.sendNotification('exit')
  expect(await exited).toBe(0)
})

it('says what is wrong with params', async () => {
  const root = tempDir()
  const { client } = serveStdio(cli, root)
  await expect(client.sendRequest('initialize', { workspaceRot: root, waitMs: 'x' })).rejects.toMatchObject({
    code: -32602, data: { issues: [
      { path: 'waitMs', message: 'Expected number but received "x"' },
      { path: 'workspaceRot', message: 'Unknown parameter', hint: 'Did you mean workspaceRoot?' },
    ] },
  })
  for (const name of ['sandbox', 'network', 'policy', 'approve']) {
    await expect(client.sendRequest('initialize', { [name]: true })).rejects.toMatchObject({ code: -32602, data: { issues: [{ path: name }] } })
  }
  await expect(client.sendRequest('initialize', { workspaceRoot: join(root, 'nowhere') })).rejects.toMatchObject({ code: -32602 })
  await client.sendRequest('initialize', {})
  await expect(client.sendRequest('execute', { text: 7 })).rejects.toMatchObject({ code: -32602, data: { issues: [{ path: 'text' }] } })
})

it('lets no client weaken what the user and the project say', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'hermes.yaml'), 'verbs:\n  exec: off\n')
  const { client } = serveStdio(cli, root, ['--root', root, '--toolset', 'core', '--mapping', 'codex'])
  for (const params of [{ workspaceRoot: '/' }, { workspaceRoot: join(root, 'sub') }, { allow: ['/etc'] }, { toolsets: ['clada'] },
    { assetFolders: { skills: '/etc' } }]) {
    await expect(client.sendRequest('initialize', params)).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
  }
  await client.sendRequest('initialize', { toolsets: ['core'], capabilities: { approvals: true } })
  const { results } = await client.sendRequest<Result>('execute', { text: FOREVER + toolCall('exec_command', { cmd: 'touch made' }) })
  expect(results).toMatchObject([{ code: 'POLICY_DENIED' }, { code: 'POLICY_DENIED', ranAs: [{ action: 'execute_command' }] }])
})

it('binds every client by the policy of its own root', async () => {
  const [root, other] = [tempDir(), tempDir()]
  writeFileSync(join(root, 'hermes.yaml'), 'deny: [secret.txt]\n')
  writeFileSync(join(root, 'secret.txt'), 's')
  mkdirSync(join(root, '.ssh'))
  writeFileSync(join(root, '.ssh/key'), 's')
  const { client } = serveStdio(cli, root, ['--root', root, '--allow', other])
  for (const workspaceRoot of [other, join(other, 'nowhere')]) {
    await expect(client.sendRequest('initialize', { workspaceRoot, allow: [root] })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
  }
  expect(await client.sendRequest('initialize', { workspaceRoot: '.', allow: [other, join(root, '.ssh')], mapping: 'claude-code' })).toMatchObject({ workspaceRoot: root, allow: [other] })
  const text = ['secret.txt', '.ssh/key'].map((path) => toolCall('read_file', { path })).join('')
  expect(await client.sendRequest('execute', { text })).toMatchObject({ results: [{ code: 'POLICY_DENIED' }, { code: 'POLICY_DENIED' }] })
  // A tool of another harness is judged as the verb that it runs as.
  const foreign = toolCall('Read', { file_path: 'secret.txt' }) + toolCall('Write', { file_path: 'a.txt', content: 'a' })
  expect(await client.sendRequest('execute', { text: foreign })).toMatchObject({ results: [{ code: 'POLICY_DENIED' }, { success: true }] })
  expect(await client.sendRequest('verb/execute', { verb: 'Read', arguments: { file_path: 'a.txt' } })).toMatchObject({ succeeded: true, content: 'a' })
  await expect(client.sendRequest('verb/execute', { verb: 'Reed' })).rejects.toMatchObject({ data: { code: 'UNKNOWN_ACTION' } })
})

it('says at the start what is wrong with its flags and its policy', async () => {
  const root = tempDir()
  writeFileSync(join(root, 'hermes.yaml'), 'nonsense: 1\n')
  for (const flags of [['--toolset', 'nope'], ['--root', join(root, 'nowhere')], ['--root', root], ['--http', '127.0.0.1:0']]) {
    expect(await cli.run(['serve', ...flags], { cwd: root })).toMatchObject({ exitCode: 2, stdout: '' })
  }
})

describe.skipIf(process.platform === 'win32')('assets', () => {
  it('are read as verbs read', async () => {
    const root = tempDir()
    mkdirSync(join(root, '.git'))
    mkdirSync(join(root, 'skills'))
    writeFileSync(join(root, 'hermes.yaml'), 'deny: [secret.md]\n')
    for (const name of ['.env', '.git/config', 'secret.md', 'skills/a.md']) writeFileSync(join(root, name), 'x')
    execFileSync('mkfifo', [join(root, 'fifo')])
    const { client } = serveStdio(cli, root)
    await client.sendRequest('initialize', { workspaceRoot: root, assetFolders: { skills: '.' } })
    for (const name of ['.env', '.git/config', 'secret.md', 'hermes.yaml', '../x']) {
      await expect(client.sendRequest('assets/read', { kind: 'skills', name })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
    }
    await expect(client.sendRequest('assets/read', { kind: 'skills', name: 'fifo' })).rejects.toMatchObject({ data: { code: 'NOT_TEXT' } })
    await expect(client.sendRequest('assets/read', { kind: 'skills', name: 'a\0' })).rejects.toMatchObject({ code: -32602 })
    const { assets } = await client.sendRequest<{ assets: { name: string }[] }>('assets/list', { kind: 'skills' })
    expect(assets.map(({ name }) => name)).toEqual(['.env', 'skills/a.md'])
  })

  it('are for no client whose server reads or writes nothing', async () => {
    const root = tempDir()
    for (const [flags, policy, folder] of [
      [['--toolset', 'read-only'], '', 'recordings'], [[], 'verbs:\n  write: off\n', 'recordings'], [[], 'verbs:\n  read: off\n', 'skills'],
    ] as const) {
      mkdirSync(join(root, 'skills'), { recursive: true })
      writeFileSync(join(root, 'hermes.yaml'), policy)
      const { client } = serveStdio(cli, root, flags)
      const hello = client.sendRequest('initialize', { workspaceRoot: root, assetFolders: { [folder]: folder } })
      await expect(hello).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
      expect(existsSync(join(root, 'recordings'))).toBe(false)
      await client.sendRequest('initialize', {})
    }
  })

  it('are recorded where verbs write, and nowhere else', async () => {
    const [root, outside] = [tempDir(), tempDir()]
    symlinkSync(outside, join(root, 'out'))
    mkdirSync(join(root, '.git'))
    const { client } = serveStdio(cli, root, ['--root', root, '--sandbox', 'none'])
    for (const recordings of ['out/new', 'out', '.git/new', '.vscode']) {
      await expect(client.sendRequest('initialize', { assetFolders: { recordings } })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
    }
    expect([...readdirSync(outside), ...readdirSync(join(root, '.git'))]).toEqual([])
    await client.sendRequest('initialize', { assetFolders: { recordings: 'rec/deep' } })
    const text = toolCall('write_file', { path: 'a.txt', content: 'x' })
    expect(await client.sendRequest('execute', { text })).toMatchObject({ success: true })
    expect(readdirSync(join(root, 'rec/deep'))).toHaveLength(1)
    rmSync(join(root, 'rec/deep'), { recursive: true })
    symlinkSync(outside, join(root, 'rec/deep'))
    await expect(client.sendRequest('execute', { text })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
    expect(readdirSync(outside)).toEqual([])
  })
})

it.skipIf(process.platform !== 'linux')('answers with the result where it cannot be recorded', async () => {
  const root = tempDir()
  const { client, child } = serveStdio(cli, root, ['--sandbox', 'none'])
  await client.sendRequest('initialize', { workspaceRoot: root, assetFolders: { recordings: 'recordings' } })
  await client.sendRequest('execute', { text: 'much '.repeat(100_000) })
  // As on a disk that is full: the recording alone is as large.
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=400000'])
  const result = await client.sendRequest('execute', { text: toolCall('write_file', { path: 'a.txt', content: 'x' }) })
  expect(result).toMatchObject({ success: true, warnings: [expect.stringContaining('Cannot write the recording') as string] })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x')
})

it.skipIf(process.platform === 'win32')('shows a client what runs, and tells the model why it is denied', async () => {
  const root = tempDir()
  const { client } = serveStdio(cli, root, ['--sandbox', 'none'])
  await client.sendRequest('initialize', { workspaceRoot: root, capabilities: { approvals: true } })
  const asked: unknown[] = []
  const answers: { answer: string; reason?: string; scope?: string }[] = [
    { answer: 'deny', reason: 'not now' }, { answer: 'session' }, { answer: 'session', scope: 'kind' },
  ]
  client.onRequest('approval/request', (params) => {
    asked.push(params)
    return answers[asked.length - 1] ?? { answer: 'deny' }
  })
  const run = async (command: string) => (
    client.sendRequest<Result>('execute', { text: toolCall('execute_command', { command, env: { BASH_ENV: 'x.sh' } }) })
  )
  expect((await run('ls')).results).toMatchObject([{ code: 'APPROVAL_DENIED', error: 'execute_command: the user said no: not now' }])
  expect(asked).toMatchObject([{
    pattern: 'code by variable', command: 'ls', sandbox: 'none', variables: [{ name: 'BASH_ENV', value: 'x.sh', changesWhatRuns: true }],
  }])
  for (const command of ['ls', 'ls', 'ls .', 'ls ./']) expect((await run(command)).results).toMatchObject([{ success: true }])
  expect(asked).toHaveLength(3)
})

describe.skipIf(process.platform === 'win32')('what runs', () => {
  it('is cancelled by its request alone, and what waits behind it too', async () => {
    const root = tempDir()
    const { client } = serveStdio(cli, root, ['--sandbox', 'none'])
    await client.sendRequest('initialize', { workspaceRoot: root, capabilities: { approvals: true } })
    const [first, second] = [new CancellationTokenSource(), new CancellationTokenSource()]
    const running = client.sendRequest<Result>('execute', { text: FOREVER + '\n' + toolCall('fs.exists', { path: 'a' }) }, first.token)
    const waiting = client.sendRequest('execute', { text: FOREVER }, second.token)
    const pid = await pidOf(join(root, 'pid'))
    second.cancel()
    await expect(waiting).rejects.toMatchObject({ code: -32800 })
    expect(await client.sendRequest('verb/execute', { verb: 'fs.exists', arguments: { path: 'pid' } })).toMatchObject({ exists: true })
    first.cancel()
    expect((await running).results.map(({ code }) => code)).toEqual(['CANCELLED', 'CANCELLED'])
    expect(isAlive(pid)).toBe(false)
    const third = new CancellationTokenSource()
    const asked = new Promise<void>((resolve) => client.onRequest('approval/request', () => { resolve(); return new Promise(() => undefined) }))
    const asking = client.sendRequest<Result>('execute', { text: toolCall('delete_file', { path: 'pid' }) }, third.token)
    await asked
    third.cancel()
    expect((await asking).results.map(({ code }) => code)).toEqual(['CANCELLED'])
    const written = toolCall('write_file', { path: 'after.txt', content: 'x' })
    expect(await client.sendRequest('execute', { text: written })).toMatchObject({ success: true })
  })

  it('ends when the client leaves, and its run is finished', async () => {
    const root = tempDir()
    const { client, child, exited } = serveStdio(cli, root, ['--sandbox', 'none'])
    await client.sendRequest('initialize', { workspaceRoot: root })
    client.sendRequest('execute', { text: toolCall('write_file', { path: 'a.txt', content: 'x' }) + FOREVER }).catch(() => undefined)
    const pid = await pidOf(join(root, 'pid'))
    child.stdin.end()
    expect(await exited).toBe(1)
    expect(isAlive(pid)).toBe(false)
    const { stdout } = await cli.run(['log', '--json'], { cwd: root, env: { HOME: root } })
    expect(stdout).toContain('a.txt')
    expect((await cli.run(['undo'], { cwd: root, env: { HOME: root } })).exitCode).not.toBe(2)
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })

  it('is recovered when the server is killed', async () => {
    const root = tempDir()
    const { client, child, exited } = serveStdio(cli, root, ['--sandbox', 'none'])
    await client.sendRequest('initialize', { workspaceRoot: root })
    client.sendRequest('execute', { text: toolCall('write_file', { path: 'a.txt', content: 'x' }) + FOREVER }).catch(() => undefined)
    const pid = await pidOf(join(root, 'pid'))
    child.kill('SIGKILL')
    await exited
    const { stdout } = await cli.run(['recover', '--restore'], { cwd: root, env: { HOME: root } })
    expect(stdout).toContain('a.txt')
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })
})
