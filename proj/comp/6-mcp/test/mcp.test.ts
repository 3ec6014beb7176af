import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VerbRegistry } from '../../1-registry/src/index.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import { CLI, connect, environment, exitOf, sharedDir, startHttp, TOKEN, type HttpServer, type Peer } from './connections.js'

const ARGS = ['--toolset', 'core', '--toolset', 'clada', '--sandbox', 'none']
const CORE = new Set((await new VerbRegistry(VERBS).loadAll()).filter(({ vocabulary }) => vocabulary === 'core').map(({ name }) => name))
const directory = sharedDir()
const root = join(directory, 'root')
const sub = join(root, 'sub')
let http: HttpServer

beforeAll(async () => {
  execFileSync('git', ['init', '-q', root])
  http = await startHttp(directory, ARGS)
})
afterAll(async () => {
  http.child.kill('SIGTERM')
  await exitOf(http.child)
})

describe.each([
  ['stdio', 'legacy', '2025-11-25'], ['stdio', 'modern', '2026-07-28'], ['http', 'legacy', '2025-11-25'], ['http', 'modern', '2026-07-28'],
] as const)('over %s, the %s protocol', (transport, era, version) => {
  let peer: Peer
  beforeAll(async () => {
    peer = await connect(transport === 'http' ? http : { directory, args: ARGS }, { era })
  })
  afterAll(() => peer.close())
  beforeEach(async () => {
    peer.asked.length = 0
    await setRoots([])
  })

  const file = (name: string): string => join(root, `${transport}-${era}-${name}`)
  const name = (path: string): string => path.slice(root.length + 1)
  const call = (tool: string, args: Record<string, unknown>) => peer.client.callTool({ name: tool, arguments: args })
  const setRoots = async (roots: string[]): Promise<void> => {
    peer.roots = roots
    if (era === 'legacy') await peer.client.sendRootsListChanged()
  }
  const failure = (code: string) => ({ isError: true, _meta: { 'hermes/error': { code } } })

  it('offers verbs with schemas, and hints of what they do', async () => {
    expect(peer.client.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await peer.client.listTools()
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    expect(byName.get('read_file')).toMatchObject({
      inputSchema: { type: 'object', required: ['path'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })
    expect(byName.get('execute_command')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })
    expect([...byName.keys()]).toEqual(expect.arrayContaining(['apply_response', 'file_write', 'ask_user']))
    expect(byName.has('fs.writeFile')).toBe(false)
    // A tool that has one must give structured content, however long its text is.
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([])
  })

  it('makes each call a run of its own, with a commit', async () => {
    const path = file('a.txt')
    const result = await call('write_file', { path: name(path), content: 'one\n' })
    expect(result).toMatchObject({ structuredContent: { path: name(path), bytes_written: 4 } })
    expect(result.content).toEqual([{ type: 'text', text: 'Done.' as string }])
    expect(result._meta?.['hermes/commit']).toBe(execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim())
    expect(readFileSync(path, 'utf8')).toBe('one\n')
  })

  it('runs calls that come at once one after another', async () => {
    const path = file('row.txt')
    await call('write_file', { path: name(path), content: '' })
    const results = await Promise.all([1, 2, 3, 4].map((n) => call('file_append', { path, content: `${n}\n` })))
    expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined, undefined])
    expect(readFileSync(path, 'utf8').split('\n').sort()).toEqual(['', '1', '2', '3', '4'])
  })

  it('gives what is long as text within the bound alone, and keeps the whole where the text says', async () => {
    const uses = Array.from({ length: 3000 }, (_, index) => `use(value, ${index})\n`)
    writeFileSync(file('long.ts'), `const value = 1\n${uses.join('')}`)
    const result = await call('grep', { pattern: 'value', path: file('long.ts') })
    const [{ text = '' } = {}] = result.content as { text?: string }[]
    expect(result.isError).toBeUndefined()
    expect(JSON.stringify(result).length).toBeLessThan(60_000)
    expect(result.structuredContent).toBeUndefined()
    const [kept = ''] = /[^\s"]*\.hermes\/runs\/[^\s"]*/.exec(text) ?? []
    expect(readFileSync(kept, 'utf8')).toContain('use(value, 2987)')
    const again = await call('read_file', { path: kept, start_line: 5, end_line: 6 })
    expect(again).toMatchObject({ content: [{ type: 'text' }] })
    expect(again.isError).toBeUndefined()
    rmSync(file('long.ts'))
  })

  it('says what is wrong with a call, and what to write', async () => {
    const missing = await call('read_file', { path: 'nothing-here.txt' })
    expect(missing).toMatchObject(failure('ENOENT'))
    expect(await call('write_file', { pth: 'x' })).toMatchObject({
      isError: true, content: [{ text: expect.stringMatching(/^MISSING_PARAMETER: Missing required parameter: path\nHint: Write path instead of pth/) as string }],
    })
    expect(await call('write_file', { path: 7, content: 'x' })).toMatchObject(failure('INVALID_PARAMETER'))
    expect(await call('write_file', { path: 'x', content: 'x', more: 1 })).toMatchObject(failure('UNKNOWN_PARAMETER'))
    expect(await call('apply_response', { text: 7 })).toMatchObject(failure('INVALID_PARAMETER'))
    await expect(call('write_fil', {})).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Did you mean write_file?') as string })
    await expect(call('read_file', 'x' as never)).rejects.toMatchObject({ code: -32602 })
    await expect(call('fs.deleteFile', { path: 'x' })).resolves.toMatchObject(failure('POLICY_DENIED'))
  })

  it('asks the user of the client, and takes a no for a no', async () => {
    const path = file('gone.txt')
    writeFileSync(path, 'x')
    expect(await call('delete_file', { path: name(path) })).toMatchObject(failure('APPROVAL_DENIED'))
    expect(existsSync(path)).toBe(true)
    peer.answer = () => ({ action: 'accept', content: { decision: 'whatever' } })
    expect(await call('delete_file', { path: name(path) })).toMatchObject(failure('APPROVAL_DENIED'))
    peer.answer = () => ({ action: 'accept', content: { decision: 'once' } })
    expect(await call('delete_file', { path: name(path) })).toMatchObject({ structuredContent: { path: name(path) } })
    expect(existsSync(path)).toBe(false)
    expect(peer.asked).toHaveLength(3)
    writeFileSync(path, 'x')
    peer.answer = () => ({ action: 'accept', content: { decision: 'deny', reason: 'it is still read' } })
    expect(await call('delete_file', { path: name(path) })).toMatchObject({
      isError: true, content: [{ text: expect.stringContaining('delete_file: the user said no: it is still read') as string }],
    })
    peer.asked.pop()
    rmSync(path)
    expect(peer.asked[0]).toContain('delete_file')
    peer.answer = () => ({ action: 'accept', content: { answer: 'blue' } })
    expect(await call('ask_user', { question: 'Which\u001b[2J colour?' })).toMatchObject({ structuredContent: { answer: 'blue' } })
    expect(peer.asked.at(-1)).not.toContain('\u001b')
  })

  it('keeps to the roots of the client, which never widen', async () => {
    await setRoots([sub])
    const inside = await call('write_file', { path: `sub/${transport}-${era}.txt`, content: 'x' })
    expect(inside.isError).toBeUndefined()
    expect(await call('write_file', { path: name(file('outside.txt')), content: 'x' })).toMatchObject(failure('POLICY_DENIED'))
    expect(await call('exec', { lang: 'bash', code: `touch ${file('by-command.txt')}` })).toMatchObject(failure('POLICY_DENIED'))
    expect(await call('git_status', {})).toMatchObject(failure('POLICY_DENIED'))
    await setRoots([directory])
    expect(await call('write_file', { path: join(directory, 'above.txt'), content: 'x' })).toMatchObject(failure('POLICY_DENIED'))
    await setRoots([join(directory, 'home')])
    expect(await call('write_file', { path: 'x.txt', content: 'x' })).toMatchObject(failure('POLICY_DENIED'))
    expect([file('outside.txt'), file('by-command.txt'), join(directory, 'above.txt'), join(root, 'x.txt')].filter((path) => existsSync(path))).toEqual([])
  })

  it('runs a whole answer, and tells of each block', async () => {
    const progress: Progress[] = []
    const block = (id: string, path: string): string => `#!SHAM [@three-char-SHA-256: ${id}]\naction = "file_write"\npath = "${path}"\ncontent = "x"\n#!END_SHAM_${id}\n`
    const before = commits()
    const text = `Words.\n\n${block('aaa', file('p.txt'))}${block('bbb', '/outside.txt')}${block('ccc', file('q.txt'))}`
    const result = await peer.client.callTool({ name: 'apply_response', arguments: { text } }, { onprogress: (each) => progress.push(each) })
    expect(result).toMatchObject({ isError: true, _meta: { 'hermes/run': { success: false, totalBlocks: 3, results: [{ success: true }, { code: 'POLICY_DENIED' }, { success: true }] } } })
    expect(result.structuredContent).toBeUndefined()
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(/^2 of 3 blocks succeeded, 1 failed\./) as string })
    const told = progress.filter(({ total }) => total === 3)
    expect(told.map(({ message }) => message)).toEqual(['aaa file_write: done', 'bbb file_write: failed (POLICY_DENIED)', 'ccc file_write: done'])
    expect(commits()).toBe(before + 1)
    const dry = await call('apply_response', { text: block('ddd', file('dry.txt')), dry_run: true })
    expect(dry).toMatchObject({ _meta: { 'hermes/run': { success: true, dryRun: true } } })
    expect(existsSync(file('dry.txt'))).toBe(false)
  })

  it('cancels what runs, and what it started', async () => {
    const pid = file('pid')
    const controller = new AbortController()
    const running = peer.client.callTool({ name: 'exec', arguments: { lang: 'bash', code: `echo $$ > ${pid}.part; mv ${pid}.part ${pid}; sleep 300` } }, { signal: controller.signal })
    running.catch(() => undefined)
    await expect.poll(() => existsSync(pid), { timeout: 20_000 }).toBe(true)
    controller.abort()
    await expect(running).rejects.toBeInstanceOf(Error)
    await expect.poll(() => isAlive(Number(readFileSync(pid, 'utf8'))), { timeout: 20_000 }).toBe(false)
    expect((await call('read_file', { path: name(file('a.txt')) })).isError).toBeUndefined()
  })

  it('has reports, runs on record and context files as resources', async () => {
    const path = file('context.txt')
    writeFileSync(path, 'of the context')
    await call('context_add', { path })
    await call('context_add', { path: `${path}#L1` })
    const { resources } = await peer.client.listResources()
    if (transport === 'http' && era === 'modern') {
      // Who asks has roots, and did not say which; others use the same connection.
      expect(resources).toEqual([])
      return
    }
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['hermes://runs', `file://${path}`]))
    expect(await read(`file://${path}`)).toBe('of the context')
    expect(await read(`file://${path}#L1`)).toBe('1: of the context')
    const runs = JSON.parse(await read('hermes://runs')) as { runId: string; state: string }[]
    expect(runs[0]).toMatchObject({ state: 'applied' })
    expect(JSON.parse(await read(`hermes://runs/${runs[0]?.runId}`))).toEqual(runs[0])
    const [report = ''] = uris.filter((uri) => uri.startsWith('hermes://reports/'))
    expect(await read(report)).toContain('# hermes report')
    for (const uri of ['hermes://reports/999', 'hermes://runs/none', 'file:///etc/passwd', 'no uri']) {
      await expect(peer.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    }
    await setRoots([sub])
    if (era === 'modern') await call('fs.exists', { path: 'sub' })
    const narrowed = (await peer.client.listResources()).resources.map(({ uri }) => uri)
    expect(narrowed.filter((uri) => !uri.startsWith('file:'))).toEqual([])
    for (const uri of [`file://${path}`, report, 'hermes://runs']) await expect(peer.client.readResource({ uri })).rejects.toBeInstanceOf(Error)
  })

  async function read(uri: string): Promise<string> {
    const { contents: [content] } = await peer.client.readResource({ uri })
    return content && 'text' in content ? content.text : ''
  }
})

it('says that a client without elicitation cannot be asked, and offers no tool that would', async () => {
  const peer = await connect(http, { era: 'legacy', canAsk: false, hasRoots: false })
  writeFileSync(join(root, 'kept.txt'), 'x')
  const refused = await peer.client.callTool({ name: 'delete_file', arguments: { path: 'kept.txt' } })
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/APPROVAL_DENIED[^]*no elicitation[^]*--yes/) as string }] })
  expect(existsSync(join(root, 'kept.txt'))).toBe(true)
  expect((await peer.client.listTools()).tools.map((tool) => tool.name)).not.toContain('ask_user')
  await peer.close()
})

it('offers the core tools where no toolset is named, in a list of at most 24 KB, and runs blocks of all verbs', async () => {
  // One that can ask its user is offered the tools that do, too.
  const peer = await connect({ directory, args: ['--sandbox', 'none', '--relative-paths'] }, { era: 'modern', hasRoots: false })
  const { tools } = await peer.client.listTools()
  // Without a language server that the user has configured there are no diagnostics.
  const core = VERBS.map(({ name }) => name).filter((name) => CORE.has(name) && name !== 'diagnostics')
  expect(tools.map(({ name }) => name)).toEqual(['apply_response', ...core])
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(24_000)
  expect(tools.find(({ name }) => name === 'search_files')?.inputSchema.properties).toMatchObject({
    max_results: { description: 'Most lines or files to return. The user may have set fewer.', default: 100 },
    regex: { description: 'Whether query is a regular expression.', default: false },
  })
  const text = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "by-block.txt"\ncontent = "x"\n#!END_SHAM_abc\n'
  expect(await peer.client.callTool({ name: 'apply_response', arguments: { text } })).not.toMatchObject({ isError: true })
  expect(readFileSync(join(root, 'by-block.txt'), 'utf8')).toBe('x')
  await peer.close()
})

it('takes an answer to a question once, from the call that asked', async () => {
  const peer = await connect(http, { era: 'modern', hasRoots: false })
  writeFileSync(join(root, 'asked.txt'), 'x')
  const ask = async (params: object) => peer.client.request({
    method: 'tools/call', params: { name: 'delete_file', arguments: { path: 'asked.txt' }, ...params },
  } as never, { allowInputRequired: true }) as Promise<{ requestState?: string; isError?: boolean }>
  const { requestState } = await ask({})
  const inputResponses = { input: { action: 'accept', content: { decision: 'once' } } }
  await expect(ask({ requestState: 'made-up', inputResponses })).rejects.toMatchObject({ code: -32602 })
  await expect(ask({ requestState, inputResponses, arguments: { path: 'kept.txt' } })).rejects.toMatchObject({ code: -32602 })
  expect((await ask({ requestState, inputResponses })).isError).toBeUndefined()
  expect(existsSync(join(root, 'asked.txt'))).toBe(false)
  await expect(ask({ requestState, inputResponses })).rejects.toMatchObject({ code: -32602 })
  await peer.close()
})

it('lets hermes undo take a call back', async () => {
  const peer = await connect(http, { era: 'modern' })
  const path = join(root, 'undone.txt')
  await peer.client.callTool({ name: 'write_file', arguments: { path: 'undone.txt', content: 'x' } })
  expect(existsSync(path)).toBe(true)
  execFileSync(process.execPath, [CLI, 'undo', '--root', root], { env: environment(join(directory, 'home')) })
  expect(existsSync(path)).toBe(false)
  await peer.close()
})

it.each([
  ['no token', {}, 401], ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['a web page', { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' }, 403],
  ['a path of its own', { authorization: `Bearer ${TOKEN}` }, 404],
])('refuses %s by HTTP, and nothing runs', async (kind, headers, status) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write_file', arguments: { path: 'evil.txt', content: 'x' } } }
  const answer = await fetch(status === 404 ? http.url.replace('/mcp', '/other') : http.url, {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
  expect(answer.status, kind).toBe(status)
  expect(existsSync(join(root, 'evil.txt'))).toBe(false)
})

it('ends when its client does, and what it runs with it', async () => {
  const place = join(directory, 'ending')
  mkdirSync(place)
  const child = spawn(process.execPath, [CLI, 'mcp', ...ARGS, '--root', place], { env: environment(join(directory, 'home')), stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } } })
  await once(child.stdout, 'data')
  send({ method: 'notifications/initialized' })
  const pid = join(place, 'pid')
  send({ id: 2, method: 'tools/call', params: { name: 'exec', arguments: { lang: 'bash', code: `echo $$ > ${pid}.part; mv ${pid}.part ${pid}; sleep 300` } } })
  await expect.poll(() => existsSync(pid), { timeout: 20_000 }).toBe(true)
  child.stdin.end()
  expect(await exitOf(child)).toBe(0)
  expect(isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false)
  // The run ended as one that can be taken back: nothing is left to recover.
  expect(existsSync(join(place, '.hermes', 'lock'))).toBe(false)
})

it('lets others work while a user is asked, and ends by a signal all the same', async () => {
  const server = await startHttp(directory, ARGS)
  const asking = await connect(server, { era: 'legacy', hasRoots: false })
  const other = await connect(server, { era: 'modern', hasRoots: false })
  let isAsked = false
  asking.client.setRequestHandler('elicitation/create', () => {
    isAsked = true
    return new Promise(() => undefined)
  })
  asking.client.callTool({ name: 'ask_user', arguments: { question: 'Well?' } }).catch(() => undefined)
  await expect.poll(() => isAsked, { timeout: 20_000 }).toBe(true)
  expect((await other.client.callTool({ name: 'write_file', arguments: { path: 'meanwhile.txt', content: 'x' } })).isError).toBeUndefined()
  server.child.kill('SIGTERM')
  expect(await exitOf(server.child)).toBe(143)
  await Promise.allSettled([asking.close(), other.close()])
})

it('takes an answer that is none for a no', async () => {
  const peer = await connect(http, { era: 'legacy', hasRoots: false })
  writeFileSync(join(root, 'malformed.txt'), 'x')
  for (const answer of [{ action: 'perhaps' }, { action: 'accept', content: { decision: { x: 1 } } }, 7]) {
    peer.answer = () => answer as never
    expect(await peer.client.callTool({ name: 'delete_file', arguments: { path: 'malformed.txt' } })).toMatchObject({ _meta: { 'hermes/error': { code: 'APPROVAL_DENIED' } } })
  }
  await peer.close()
})

it('ends no session with a running call for a newer one', async () => {
  const peer = await connect(http, { era: 'legacy', hasRoots: false })
  const flag = join(root, 'go-on')
  const running = peer.client.callTool({ name: 'exec', arguments: { lang: 'bash', code: `touch ${flag}.begun; until [ -e ${flag} ]; do sleep 0.1; done; echo finished` } })
  await expect.poll(() => existsSync(`${flag}.begun`), { timeout: 20_000 }).toBe(true)
  for (let n = 0; n < 65; n++) await (await connect(http, { era: 'legacy', hasRoots: false })).close()
  writeFileSync(flag, '')
  expect(JSON.stringify(await running)).toContain('finished')
  await peer.close()
})

it('ends by a signal, and leaves nothing behind', async () => {
  const { child } = await startHttp(directory, ARGS)
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(143)
})

function commits(): number {
  return Number(execFileSync('git', ['-C', root, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' }))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
