import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type {
  ApprovalAnswer, ApprovalRequest, McpServerOptions, PolicyOptions,
} from '../../../0-contracts/src/index.js'
import { execute, Hermes, VerbExecutor } from '../../src/executor/index.js'
import { argsJsonSchema } from '../../../1-registry/src/registry/index.js'
import { McpVerbs } from '../../src/mcp-client/index.js'

const SERVER = fileURLToPath(new URL('../../test-data/mcp-client/other-server.mjs', import.meta.url))
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-mcp-client-')))
const root = join(directory, 'root')
const log = join(directory, 'log')
mkdirSync(root)
const open: Hermes[] = []

beforeAll(() => writeFileSync(log, ''))
afterEach(async () => {
  await Promise.all(open.splice(0).map((hermes) => hermes[Symbol.asyncDispose]()))
  writeFileSync(log, '')
})
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))

const logged = (): string[] => readFileSync(log, 'utf8').trimEnd().split('\n')

function other(more: Partial<McpServerOptions> = {}, ...args: string[]): McpServerOptions {
  return { command: process.execPath, args: [SERVER, ...args], env: { CALLS: log, OTHER_TOKEN: 'xyzzy-98765-plugh' }, calls: 'on', ...more }
}

interface Asked {
  asked: ApprovalRequest[]
  hermes: Hermes
}

function session(servers: Record<string, McpServerOptions>, { answer, ...policy }: PolicyOptions & { answer?: ApprovalAnswer } = {}): Asked {
  const asked: ApprovalRequest[] = []
  const hermes = new Hermes({
    root, policy: { ...policy, mcp_servers: servers },
    ...(answer && { approve: (request: ApprovalRequest) => (asked.push(request), answer) }),
  })
  open.push(hermes)
  return { asked, hermes }
}

async function call(hermes: Hermes, name: string, args: object, signal?: AbortSignal) {
  const { results: [result] } = await hermes.call([{ name, arguments: args }], { signal })
  return result
}

it('calls tools by blocks of every format, and starts one server for them', async () => {
  const { hermes } = session({ other: other() })
  const result = await hermes.execute([
    '#!SHAM [@three-char-SHA-256: abc]', 'action = "mcp.other.add"', 'a = "1"', 'b = "41"', 'tags = "x"', '#!END_SHAM_abc',
    '```yaml hermes', 'verb: MCP.other.add', 'arguments: {a: 2, b: 3}', '```',
    '<tool_call>{"name": "mcp_other_echo", "arguments": {"text": "hello"}}</tool_call>', '',
  ].join('\n'))
  expect(result.results.map(({ data }) => data)).toEqual([{ structured: { sum: 42 } }, { structured: { sum: 5 } }, { text: 'hello' }])
  expect(logged()).toEqual([expect.stringMatching(/^start/), 'add 1 41', 'add 2 3', 'echo hello'])
})

it('starts nothing where no block names a tool', async () => {
  const { hermes } = session({ other: other() })
  await call(hermes, 'fs.exists', { path: 'x' })
  expect(readFileSync(log, 'utf8')).toBe('')
})

it('works for single envelopes, and for one text', async () => {
  await using executor = new VerbExecutor({ root, policy: { mcp_servers: { other: other() } } })
  expect(JSON.parse(await executor.execute({ verb: 'mcp.other.echo', arguments: { text: 'x' } }))).toEqual({ succeeded: true, text: 'x' })
  const result = await execute('<tool_call>{"name": "mcp.other.fail", "arguments": {}}</tool_call>\n', { root, policy: { mcp_servers: { other: other() } } })
  expect(result.results).toMatchObject([{ code: 'TOOL_FAILED', error: 'mcp.other.fail: the disk is on fire' }])
})

it('asks before each call unless the user says otherwise', async () => {
  const denied = session({ other: other({ calls: 'ask' }) }, { answer: 'deny' })
  expect(await call(denied.hermes, 'mcp.other.echo', { text: 'x' })).toMatchObject({ code: 'APPROVAL_DENIED' })
  expect(denied.asked).toEqual([expect.objectContaining({ action: 'mcp.other.echo', kind: 'policy', command: 'mcp.other.echo {"text":"x"}' })])
  const { calls: _, ...unsaid } = other()
  const nobody = session({ other: unsaid })
  expect(await call(nobody.hermes, 'mcp.other.echo', { text: 'x' })).toMatchObject({ code: 'APPROVAL_DENIED' })
  const agreed = session({ other: unsaid }, { answer: 'session' })
  for (const text of ['1', '2']) expect(await call(agreed.hermes, 'mcp.other.echo', { text })).toMatchObject({ success: true })
  expect(await call(agreed.hermes, 'mcp.other.add', { a: 'x', b: 1 })).toMatchObject({ code: 'INVALID_PARAMETER' })
  expect(await call(agreed.hermes, 'mcp.other.add', { a: 1, b: 1 })).toMatchObject({ success: true })
  expect(agreed.asked.map(({ command }) => command)).toEqual([
    'mcp.other.echo {"text":"1"}', 'mcp.other.echo {"text":"2"}', 'mcp.other.add {"a":1,"b":1}',
  ])
  expect(logged().filter((line) => !line.startsWith('start'))).toEqual(['echo 1', 'echo 2', 'add 1 1'])
})

it.each([
  ['calls: off', { other: other({ calls: 'off' }) }, {}],
  ['exec: off', { other: other() }, { verbs: { exec: 'off' } }],
  ['network: off', { other: other() }, { verbs: { network: 'off' } }],
] as const)('refuses calls with %s', async (_, servers, policy) => {
  const { hermes } = session(servers, { ...policy, answer: 'once' })
  expect(await call(hermes, 'mcp.other.echo', { text: 'x' })).toMatchObject({ code: 'POLICY_DENIED' })
  expect(logged().filter((line) => line.startsWith('echo'))).toEqual([])
})

it('runs no tool in a dry run, and only what the toolset holds', async () => {
  const policy = { mcp_servers: { other: other() } }
  await using dry = new Hermes({ root, policy, dryRun: true })
  expect(await call(dry, 'mcp.other.echo', { text: 'x' })).toMatchObject({ success: true, hint: 'Dry run: not started.' })
  await using core = new Hermes({ root, policy, toolsets: ['core', 'execute', 'hermes'] })
  expect(await call(core, 'mcp.other.echo', { text: 'x' })).toMatchObject({ code: 'POLICY_DENIED' })
  await using mcp = new Hermes({ root, policy, toolsets: ['mcp'] })
  expect(await call(mcp, 'mcp.other.echo', { text: 'x' })).toMatchObject({ success: true })
})

describe('a call', () => {
  it('is checked by the schema of the tool', async () => {
    const { hermes } = session({ other: other() })
    const add = async (args: object): Promise<unknown> => call(hermes, 'mcp.other.add', args)
    expect(await add({ a: 1 })).toMatchObject({ code: 'MISSING_PARAMETER' })
    expect(await add({ a: 1, b: 2, c: 3 })).toMatchObject({ code: 'UNKNOWN_PARAMETER' })
    expect(await add({ a: 1.5, b: 2 })).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await add({ a: 101, b: 2 })).toMatchObject({ code: 'INVALID_PARAMETER', error: expect.stringContaining('<= 100') as string })
    expect(logged().filter((line) => line.startsWith('add'))).toEqual([])
  })

  it('says what there is instead of an unknown name', async () => {
    const { hermes } = session({ other: other({ tools: ['e*', 'add'] }) })
    expect(await call(hermes, 'mcp.other.ecco', {})).toMatchObject({ code: 'UNKNOWN_ACTION', hint: 'Did you mean mcp.other.echo?' })
    expect(await call(hermes, 'mcp.other.wait', {})).toMatchObject({ code: 'UNKNOWN_ACTION', hint: 'Tools of other: echo, add.' })
    expect(await call(hermes, 'mcp.others.echo', {})).toMatchObject({ code: 'UNKNOWN_ACTION', hint: expect.stringContaining('MCP servers: other') as string })
    await using none = new Hermes({ root, policy: {} })
    expect(await call(none, 'mcp.other.echo', {})).toMatchObject({ code: 'UNKNOWN_ACTION', hint: expect.stringContaining('mcp_servers') as string })
  })

  it('leaves out bytes, hides secrets, and shows data once', async () => {
    const { hermes } = session({ other: other() })
    expect((await call(hermes, 'mcp.other.picture', {}))?.data).toEqual({ text: 'a dot', attachments: [{ type: 'image', mimeType: 'image/png', bytes: 3 }] })
    const text = String(Object.values((await call(hermes, 'mcp.other.secret', {}))?.data ?? {})[0])
    expect(text).toMatch(/^token \[masked OTHER_TOKEN\], cwd \S*hermes-mcp-/)
    expect(text).not.toContain(root)
  })

  it('ends in time, and when it is cancelled; the server is told', async () => {
    const { hermes } = session({ other: other({ call_time: '300ms' }) })
    expect(await call(hermes, 'mcp.other.wait', {})).toMatchObject({ code: 'TIMEOUT' })
    await expect.poll(logged).toContain('cancelled')
    const patient = session({ other: other() })
    writeFileSync(log, '')
    const controller = new AbortController()
    const running = call(patient.hermes, 'mcp.other.wait', {}, controller.signal)
    await expect.poll(logged, { timeout: 10_000 }).toContain('wait')
    controller.abort()
    expect(await running).toMatchObject({ code: 'CANCELLED' })
    await expect.poll(logged).toContain('cancelled')
  })

  it('is committed with what it changed in the root', async () => {
    const tree = join(directory, 'tree')
    execFileSync('git', ['init', '-q', tree])
    for (const [key, value] of [['user.name', 'T'], ['user.email', 't@example.com']] as const) execFileSync('git', ['-C', tree, 'config', key, value])
    await using hermes = new Hermes({ root: tree, policy: { mcp_servers: { other: other({ cwd: '.' }) } } })
    const { gitCommit } = await hermes.call([{ name: 'mcp.other.write', arguments: { name: 'by-other.txt' } }])
    const changed = execFileSync('git', ['-C', tree, 'show', '--name-only', '--format=%H', 'HEAD'], { encoding: 'utf8' })
    expect(changed.trim().split(/\n+/)).toEqual([gitCommit, 'by-other.txt'])
  })
})

describe('a server', () => {
  it('that dies costs its call, and starts anew with the next', async () => {
    const { hermes } = session({ other: other() })
    expect(await call(hermes, 'mcp.other.die', {})).toMatchObject({ code: 'SERVER_FAILED', data: { stderr: 'out of cheese' } })
    expect(await call(hermes, 'mcp.other.echo', { text: 'x' })).toMatchObject({ success: true })
    expect(logged().filter((line) => line.startsWith('start'))).toHaveLength(2)
  })

  it('may change what it offers', async () => {
    const { hermes } = session({ other: other() })
    expect(await call(hermes, 'mcp.other.grown', {})).toMatchObject({ code: 'UNKNOWN_ACTION' })
    await call(hermes, 'mcp.other.grow', {})
    expect(await call(hermes, 'mcp.other.grown', {})).toMatchObject({ success: true })
  })

  it('that cannot start is told in one line, with what it printed', async () => {
    const { hermes } = session({
      broken: other({}, '--broken'), gone: { command: 'no-such-program-here', calls: 'on' }, silent: other({ start_time: '300ms' }, '--silent'),
      unset: other({ env: { A: '${NOT_SET_ANYWHERE_42}' } }), closed: { url: 'http://127.0.0.1:9/mcp', calls: 'on' },
    })
    const failure = async (name: string): Promise<string | undefined> => {
      const result = await call(hermes, `mcp.${name}.x`, {})
      expect(result).toMatchObject({ code: 'SERVER_FAILED' })
      return result?.error
    }
    expect(await failure('broken')).toMatch(/^The MCP server broken cannot be started: .*it printed: cannot find my settings$/)
    expect(await failure('gone')).toBe('The MCP server gone cannot be started: no-such-program-here not found in PATH (ENOENT)')
    expect(await failure('silent')).toBe('The MCP server silent did not answer within 0.3 s')
    expect(await failure('unset')).toBe('The MCP server unset cannot be started: NOT_SET_ANYWHERE_42 is not set')
    expect(await failure('closed')).toMatch(/^The MCP server closed cannot be reached at http:\/\/127\.0\.0\.1:9: /)
  })

  it('speaks the newest protocol where it refuses the older', async () => {
    const { hermes } = session({ other: other({}, '--modern') })
    expect(await call(hermes, 'mcp.other.echo', { text: 'new' })).toMatchObject({ success: true, data: { text: 'new' } })
  })

  it('has ended when the session has', async () => {
    const { hermes } = session({ other: other() })
    await call(hermes, 'mcp.other.echo', { text: 'x' })
    const pid = Number(logged()[0]?.split(' ')[1])
    expect(() => process.kill(pid, 0)).not.toThrow()
    await hermes[Symbol.asyncDispose]()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe('over HTTP', () => {
  let child: ChildProcess
  let url = ''
  beforeAll(async () => {
    const started = spawn(process.execPath, [SERVER, '--http'], { env: { ...process.env, CALLS: log }, stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    const [port] = await once(createInterface(started.stdout), 'line') as [string]
    url = `http://127.0.0.1:${port}/mcp`
  })
  afterAll(() => child.kill())

  it('sends the headers of the settings, with variables filled in', async () => {
    process.env['TEST_MCP_KEY'] = 'key-1234567890'
    const { hermes } = session({ web: { url, headers: { 'X-Api-Key': '${TEST_MCP_KEY}' }, calls: 'on' } })
    expect(await call(hermes, 'mcp.web.add', { a: 1, b: 2 })).toMatchObject({ success: true, data: { structured: { sum: 3 } } })
    expect(logged()).toContain('POST key-1234567890')
    delete process.env['TEST_MCP_KEY']
  })
})

it('lists all tools with their schemas, and what cannot be used', async () => {
  const servers = [
    { ...other(), name: 'other', startMs: 20_000, callMs: 20_000, by: 'x:1', calls: 'on' as const },
    { command: 'no-such-program-here', name: 'gone', startMs: 1000, callMs: 1000, by: 'x:2', calls: 'ask' as const },
  ]
  const remote = new McpVerbs({ servers, root })
  const { verbs, problems } = await remote.list(new AbortController().signal)
  await remote.close()
  const add = verbs.find(({ name }) => name === 'mcp.other.add')
  expect(add).toMatchObject({ category: 'mcp', type: 'dynamic', description: 'Adds two whole numbers.' })
  expect(add && argsJsonSchema(add)).toMatchObject({ properties: { a: { type: 'integer', maximum: 100 } }, additionalProperties: false })
  expect(problems.map(({ code }) => code)).toEqual(['SERVER_FAILED'])
})
