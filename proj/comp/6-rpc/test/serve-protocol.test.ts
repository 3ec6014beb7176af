import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { Checker, type Document } from '../../../test/support/openrpc.js'
import { pythonClient, typeScriptClient } from '../../../test/support/openrpc-clients.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { serveStdio, toolCall } from './clients.js'

const cli = useCli()
const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const SCRIPTED = join(repository, 'proj', 'comp', '2-extensions', 'test', 'host', 'scripted-extension.mjs')
const committed = JSON.parse(readFileSync(join(repository, 'docs', 'protocol', 'serve.openrpc.json'), 'utf8')) as Document

it('is printed, answered before initialize, and in docs/protocol', async () => {
  const root = tempDir()
  const { stdout } = await cli.run(['serve', '--openrpc'], { cwd: root })
  const { client } = serveStdio(cli, root)
  expect(JSON.parse(stdout)).toEqual(committed)
  expect(await client.sendRequest('rpc.discover')).toEqual(committed)
})

it('names every method of the running server, and says what each answers and tells', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'skills'))
  writeFileSync(join(root, 'skills/a.md'), 'how to\n')
  const { client, told } = serveStdio(cli, root)
  const checker = new Checker(committed)
  const wrong: string[] = []
  const called = new Set<string>()
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    called.add(method)
    wrong.push(...checker.params(method, params, 'client'))
    const result: unknown = await client.sendRequest(method, params)
    wrong.push(...checker.result(method, result))
    return result
  }
  const answers: Record<string, object> = { 'approval/request': { answer: 'once' }, 'ui/ask': { answer: 'yes' }, 'ui/confirm': { confirmed: true } }
  const asked = new Set<string>()
  for (const [method, answer] of Object.entries(answers)) {
    client.onRequest(method, (params) => {
      asked.add(method)
      wrong.push(...checker.params(method, params, 'server'), ...checker.result(method, answer))
      return answer
    })
  }

  await call('rpc.discover')
  const hello = await call('initialize', { assetFolders: { skills: 'skills' }, capabilities: { approvals: true, questions: true }, editFormats: ['search-replace'] })
  const answer = toolCall('write_file', { path: 'a.txt', content: 'one\n' }) + toolCall('read_file', { path: 'nowhere' }) + toolCall('no_verb', {})
    + toolCall('delete_file', { path: 'a.txt' }) + toolCall('ask_user', { question: 'ok?' }) + toolCall('confirm_action', { action_description: 'drop the table' })
    + `<tool_call>{"name": "read_file"\n\`\`\`\n${toolCall('read_file', { path: 'quoted' })}\`\`\`\n`
  await call('execute', { text: answer, progress: true, reply: {} })
  await call('execute', { text: answer, dryRun: true })
  await call('parse', { text: answer })
  await call('verb/execute', { verb: 'fs.exists', arguments: { path: 'a.txt' } })
  await call('verb/execute', { verb: 'read_file', arguments: { path: 'nowhere' } })
  for (const format of ['hermes', 'json-schema', 'openai', 'anthropic', 'mcp', 'idl']) {
    await call('tools/list', { format, toolsets: ['core'] })
    await call('tools/show', { name: 'write_file', format })
  }
  await call('assets/list', { kind: 'skills' })
  await call('assets/read', { kind: 'skills', name: 'a.md' })
  await client.sendNotification('initialized')
  await client.sendNotification('nobody/knows')
  await call('shutdown')
  for (const [method, params] of told) wrong.push(...checker.params(method, params, 'server'))

  expect(wrong).toEqual([])
  const { methods } = (hello as { capabilities: { methods: string[] } }).capabilities
  expect([...called].toSorted()).toEqual(methods.toSorted())
  const sent = committed.methods.filter((method) => method['x-sent-by'] === 'client')
  expect(sent.filter(({ result }) => result).map(({ name }) => name).toSorted()).toEqual(methods.toSorted())
  expect([...asked].toSorted()).toEqual(Object.keys(answers).toSorted())
  expect([...new Set(told.map(([method]) => method))].toSorted()).toEqual(['execute/event', 'execute/progress', 'log'])
})

it('says what clients are asked for extensions', async () => {
  const home = tempDir()
  const file = join(home, 'a.md')
  const dialogues: [method: string, params: object, answer: object][] = [
    ['ui/showMessage', { message: 'hello', kind: 'info' }, { acknowledged: true }], ['ui/showConfirm', { message: 'on?', buttons: 'yesNo' }, { confirmed: true }],
    ['ui/openFile', { filters: [{ name: 'all', extensions: ['*'] }] }, { path: file }], ['ui/openFiles', {}, { paths: [file] }],
    ['ui/saveFile', { defaultName: 'b.md' }, { path: null }], ['ui/selectDirectory', { title: 'where' }, { path: home }],
    ['ui/openWindow', { html: '<p>' }, { windowId: 'w' }], ['ui/closeWindow', { windowId: 'w' }, { success: true }],
  ]
  const steps = [
    { await: 'initialize' }, { answer: 'initialize', result: { capabilities: { commands: ['go'], commandFinished: true } } }, { await: 'command/execute' },
    ...dialogues.flatMap(([method, params], id) => [{ send: { id, method, params } }, { await: { id } }]),
    { send: { method: 'command/finished', params: { executionId: 1 } } }, { await: 'shutdown' }, { answer: 'shutdown', result: null }, { exit: 0 },
  ]
  writeFileSync(join(home, 'steps'), steps.map((step) => JSON.stringify(step)).join('\n'))
  mkdirSync(join(home, '.hermes'))
  const args = [SCRIPTED, join(home, 'steps'), join(home, 'log')]
  writeFileSync(join(home, '.hermes', 'config.yaml'), JSON.stringify({ extensions: { scripted: { command: process.execPath, args } } }))
  const { client } = serveStdio(cli, home)
  const checker = new Checker(committed)
  const wrong: string[] = []
  for (const [method, , answer] of dialogues) {
    client.onRequest(method, (params) => {
      wrong.push(...checker.params(method, params, 'server'), ...checker.result(method, answer))
      return answer
    })
  }
  await client.sendRequest('initialize', { capabilities: { dialogues: true } })
  await client.sendRequest('execute', { text: '', extensions: ['scripted:go'] })
  expect(wrong).toEqual([])
  const answered = readFileSync(join(home, 'log'), 'utf8').split('\n').filter((line) => line.includes('"result"')).map((line) => (JSON.parse(line) as { result: unknown }).result)
  expect(answered).toEqual(dialogues.map(([, , answer]) => answer))
  const asked = committed.methods.filter(({ name, 'x-sent-by': by }) => by === 'server' && name.startsWith('ui/') && !/ask|confirm/.test(name))
  expect(asked.map(({ name }) => name).toSorted()).toEqual(dialogues.map(([method]) => method).toSorted())
})

it('makes a client in TypeScript that tsc takes, and that talks to the server', async () => {
  const directory = tempDir()
  writeFileSync(join(directory, 'client.ts'), typeScriptClient(committed, 'client'))
  writeFileSync(join(directory, 'main.ts'), MAIN)
  const packages = join(repository, 'proj', 'node_modules')
  const options = { module: 'NodeNext', target: 'ES2023', lib: ['ESNext'], strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: ['node'], typeRoots: [join(packages, '@types')] }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }))
  execFileSync(process.execPath, [join(packages, 'typescript', 'bin', 'tsc'), '-p', directory], { stdio: 'pipe' })
  for (const name of ['client', 'main']) {
    const { outputText } = ts.transpileModule(readFileSync(join(directory, `${name}.ts`), 'utf8'), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } })
    writeFileSync(join(directory, `${name}.js`), outputText)
  }
  expect(await outputOf(process.execPath, [join(directory, 'main.js'), process.execPath, cli.path, 'serve'], directory)).toEqual({
    server: 'hermes', success: true, actions: ['write_file'], content: 'é\n', events: ['block-start', 'block-end'], exists: true, ended: null,
  })
})

it.skipIf(process.platform === 'win32')('makes a client in Python that talks to the server', async () => {
  const directory = tempDir()
  writeFileSync(join(directory, 'client.py'), pythonClient(committed, 'client'))
  writeFileSync(join(directory, 'main.py'), PYTHON_MAIN)
  expect(await outputOf('python3', [join(directory, 'main.py'), process.execPath, cli.path, 'serve'], directory)).toEqual({
    server: 'hermes', success: true, actions: ['write_file'], events: 2, exists: true, refused: -32602, ended: null,
  })
})

async function outputOf(program: string, args: readonly string[], cwd: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...plainEnvironment(), HOME: cwd } })
  return JSON.parse(stdout) as unknown
}

const MAIN = String.raw`import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Client, type Handlers, type Wire } from './client.js'

const [program = '', ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const events: string[] = []
const handlers: Handlers = { 'execute/event': ({ event }) => { events.push(event.type) } }
const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
let input = Buffer.alloc(0)
server.stdout.on('data', (piece: Buffer) => {
  input = Buffer.concat([input, piece])
  for (;;) {
    const end = input.indexOf('\r\n\r\n')
    const length = end === -1 ? NaN : Number(input.subarray(16, end).toString())
    if (!(input.length >= end + 4 + length)) return
    const message = JSON.parse(input.subarray(end + 4, end + 4 + length).toString())
    input = input.subarray(end + 4 + length)
    if (message.method !== undefined) (handlers as Record<string, ((params: unknown) => unknown) | undefined>)[message.method]?.(message.params)
    else if (message.error) waiting.get(message.id)?.reject(new Error(message.error.message))
    else waiting.get(message.id)?.resolve(message.result)
  }
})
let last = 0
const send = (message: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  server.stdin.write('Content-Length: ' + Buffer.byteLength(body) + '\r\n\r\n' + body)
}
const wire: Wire = {
  request: (method, params) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject })
    send({ id: last, method, params })
  }),
  notify: async (method, params) => send({ method, params }),
}
const client = new Client(wire)
const { serverInfo } = await client.initialize({ workspaceRoot: process.cwd() })
const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'é\n' } }
const { success, results } = await client.execute({ text: '<tool_call>' + JSON.stringify(call) + '</tool_call>' })
const { exists } = await client['verb/execute']({ verb: 'fs.exists', arguments: { path: 'a.txt' } }) as { exists?: boolean }
// @ts-expect-error a text is required
client.execute({ dryRun: true }).catch(() => undefined)
const ended = await client.shutdown()
await client.exit()
console.log(JSON.stringify({
  server: serverInfo.name, success, actions: results.map(({ action }) => action), content: readFileSync('a.txt', 'utf8'), events, exists, ended,
}))
`
const PYTHON_MAIN = String.raw`import json
import sys
from client import Client, Refused

client = Client(sys.argv[1:])
hello = client.initialize(workspaceRoot=".")
call = {"name": "write_file", "arguments": {"path": "a.txt", "content": "\u00e9\n"}}
result = client.execute(text="<tool_call>%s</tool_call>" % json.dumps(call))
events = client.told.count("execute/event")
exists = client.verb_execute(verb="fs.exists", arguments={"path": "a.txt"})["exists"]
try:
    client.tools_show(name="no_verb")
except Refused as error:
    refused = error.code
ended = client.shutdown()
client.exit()
print(json.dumps({
    "server": hello["serverInfo"]["name"], "success": result["success"], "events": events, "exists": exists,
    "actions": [one["action"] for one in result["results"]], "refused": refused, "ended": ended,
}))
`
