import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ApprovalRequest, McpServerOptions, PolicyOptions } from '../../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'
import { argsJsonSchema } from '../../../1-registry/src/registry/index.js'
import { McpVerbs } from '../../src/mcp-client/index.js'

const SERVER = fileURLToPath(new URL('../../test-data/mcp-client/hostile-server.mjs', import.meta.url))
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-hostile-')))
const root = join(directory, 'root')
const log = join(directory, 'log')
mkdirSync(root)
const open: Hermes[] = []
const environment = { ...process.env }

beforeAll(() => writeFileSync(log, ''))
afterEach(async () => {
  await Promise.all(open.splice(0).map((hermes) => hermes[Symbol.asyncDispose]()))
  writeFileSync(log, '')
  // Not another object in its place: the system would not hear of what is set in that.
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
})
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))

const logged = (): string[] => readFileSync(log, 'utf8').trimEnd().split('\n')
const pidOf = (what: string): number => Number(logged().find((line) => line.startsWith(what))?.split(' ')[1])

function hostile(more: Partial<McpServerOptions> = {}, ...args: string[]): McpServerOptions {
  return { command: process.execPath, args: [SERVER, ...args], env: { CALLS: log }, calls: 'on', ...more }
}

function session(server: McpServerOptions, options: ExecutorOptions = {}, policy: PolicyOptions = {}): Hermes {
  const hermes = new Hermes({ root, ...options, policy: { ...policy, mcp_servers: { hostile: server } } })
  open.push(hermes)
  return hermes
}

async function call(hermes: Hermes, tool: string, args: object = {}, signal?: AbortSignal) {
  const { results: [result] } = await hermes.call([{ name: `mcp.hostile.${tool}`, arguments: args }], { signal })
  return result
}

it.each<[string, McpServerOptions, ExecutorOptions, PolicyOptions]>([
  ['calls: off', hostile({ calls: 'off' }), {}, {}],
  ['exec: off', hostile(), {}, { verbs: { exec: 'off' } }],
  ['network: off', hostile(), {}, { verbs: { network: 'off' } }],
  ['a toolset without it', hostile(), { toolsets: ['core'] }, {}],
  ['an atomic run', hostile(), { atomic: true }, {}],
  ['narrower roots', hostile(), { within: [join(root, 'sub')] }, {}],
  ['nobody to ask', hostile({ calls: 'ask' }), {}, {}],
  ['a user who says no', hostile({ calls: 'ask' }), { approve: () => 'deny' }, {}],
  ['a dry run', hostile(), { dryRun: true }, {}],
])('starts no server for %s', async (_, server, options, policy) => {
  await call(session(server, options, policy), 'good')
  expect(readFileSync(log, 'utf8')).toBe('')
})

it('asks once for the start and the call', async () => {
  const asked: ApprovalRequest[] = []
  const hermes = session(hostile({ calls: 'ask' }), { approve: (request) => (asked.push(request), 'once') })
  expect(await call(hermes, 'good', { a: 'x' })).toMatchObject({ success: true })
  expect(asked.map(({ command }) => command)).toEqual(['mcp.hostile.good {"a":"x"}'])
  expect(await call(hermes, 'good', { a: 'y' })).toMatchObject({ success: true })
  expect(asked).toHaveLength(2)
})

it('takes no program from where a model writes', async () => {
  const bin = join(root, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'some-server'), `#!/bin/sh\necho taken >> ${log}\n`)
  chmodSync(join(bin, 'some-server'), 0o755)
  process.env['PATH'] = `${bin}:${environment['PATH']}`
  expect(await call(session(hostile({ command: 'some-server', args: [] })), 'good')).toMatchObject({ code: 'SERVER_FAILED' })
  expect(await call(session(hostile({ command: 'npx', args: ['--offline', '--no', 'some-server'] })), 'good')).toMatchObject({ code: 'SERVER_FAILED' })
  expect(readFileSync(log, 'utf8')).toBe('')
})

it('lets no schema end hermes, or keep it busy, and a bad tool cost only itself', async () => {
  const hermes = session(hostile())
  for (const tool of ['async', 'asyncbelow']) {
    expect(await call(hermes, tool, { a: 'long' })).toMatchObject({ code: 'SERVER_FAILED', error: expect.stringContaining('$async') as string })
  }
  const s = `${'a'.repeat(60)}!`
  expect(await call(hermes, 'endless', { s, [`${'b'.repeat(60)}!`]: 1 })).toMatchObject({ success: true, data: { structured: { s } } })
  expect(await call(hermes, 'good')).toMatchObject({ success: true })
  expect(logged().filter((line) => line.startsWith('call'))).toEqual(['call endless', 'call good'])
})

it('bounds what an answer holds', async () => {
  const hermes = session(hostile())
  expect(await call(hermes, 'deep')).toMatchObject({ code: 'SERVER_FAILED', error: expect.stringContaining('levels') as string })
  const many = await call(hermes, 'many')
  const { attachments } = (many?.data ?? {}) as { attachments: { name: string }[] }
  expect(attachments).toHaveLength(100)
  expect(attachments[0]?.name).toHaveLength(501)
  expect(await call(hermes, 'huge')).toMatchObject({ code: 'SERVER_FAILED', error: expect.stringContaining('too large') as string })
  expect(await call(hermes, 'good')).toMatchObject({ success: true })
})

it.runIf(process.platform === 'linux')('bounds what a server holds, by the bound that the user sets', async () => {
  const hermes = session(hostile({ memory: '300MB' }))
  expect(await call(hermes, 'hoard')).toMatchObject({ code: 'SERVER_FAILED', error: 'mcp.hostile.hoard: the server was ended: it held more memory than it may' })
  expect(await call(hermes, 'good')).toMatchObject({ success: true })
})

it('hides what it was given, in failures as well', async () => {
  process.env['ORDINARY_NAME'] = 'given-by-value-42'
  const env = { CALLS: log, PLAIN: '${ORDINARY_NAME}', OTHER_TOKEN: 'literal-secret-abc123' }
  const hermes = session(hostile({ env }))
  expect(await call(hermes, 'refuse')).toMatchObject({ code: 'TOOL_FAILED', error: 'mcp.hostile.refuse: no: [masked ORDINARY_NAME] and [masked OTHER_TOKEN]' })
  const broken = JSON.stringify(await call(session(hostile({ env }, '--broken')), 'good'))
  expect(broken).toContain('bad settings: [masked ORDINARY_NAME]')
  expect(broken).not.toMatch(/by-value|literal-secret/)
  // `hermes tools list --mcp` prints them without a run.
  const remote = new McpVerbs({ servers: [{ name: 'hostile', startMs: 20_000, callMs: 20_000, by: 'x:1', ...hostile({ env }, '--broken'), calls: 'on' }], root })
  const { problems: [problem] } = await remote.list(new AbortController().signal)
  await remote.close()
  expect(problem?.message).toContain('[masked ORDINARY_NAME]')
})

it('lists nothing that a terminal obeys', async () => {
  const remote = new McpVerbs({ servers: [{ name: 'hostile', startMs: 20_000, callMs: 20_000, by: 'x:1', ...hostile(), calls: 'on' }], root })
  const { verbs, problems } = await remote.list(new AbortController().signal)
  await remote.close()
  expect(verbs.map(({ name }) => name)).toEqual(['good', 'endless', 'refuse', 'deep', 'many', 'hoard', 'huge'].map((name) => `mcp.hostile.${name}`))
  expect(verbs[0]?.description).toBe('a\\x1b[2Jb\\u202ec d')
  const told = [JSON.stringify(verbs[0] && argsJsonSchema(verbs[0])), ...problems.map(({ message }) => message)].join('')
  expect(told).not.toMatch(/\\u001b|[\u0000-\u001f\u202e]/)
  expect(problems.map(({ message }) => message.length).filter((length) => length > 200)).toEqual([])
  expect(problems).toHaveLength(5)
})

it('ends it at once when the call is cancelled while it starts', async () => {
  const controller = new AbortController()
  const running = call(session(hostile({ start_time: '5m' }, '--silent', '--stubborn')), 'good', {}, controller.signal)
  await expect.poll(logged, { timeout: 10_000 }).toContainEqual(expect.stringMatching(/^start/))
  controller.abort()
  expect(await running).toMatchObject({ code: 'CANCELLED' })
  expect(isAlive(pidOf('start'))).toBe(false)
})

it.skipIf(process.platform === 'win32')('ends what it started, too', async () => {
  const hermes = session(hostile({}, '--child'))
  await call(hermes, 'good')
  const child = pidOf('child')
  expect(isAlive(child)).toBe(true)
  await hermes[Symbol.asyncDispose]()
  await expect.poll(() => isAlive(child)).toBe(false)
})

it('reads only so much of an answer over HTTP', async () => {
  const child = spawn(process.execPath, [SERVER, '--http'], { env: { ...process.env, CALLS: log }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(createInterface(child.stdout), 'line') as [string]
    const hermes = session({ url: `http://127.0.0.1:${port}/mcp`, calls: 'on', start_time: '5m' })
    expect(await call(hermes, 'good')).toMatchObject({ code: 'SERVER_FAILED', error: expect.stringContaining('it sent more than 16 MB') as string })
    expect(logged().length * 65_536).toBeLessThan(200 * 2 ** 20)
  } finally {
    child.kill()
  }
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that nobody has waited for is none.
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
