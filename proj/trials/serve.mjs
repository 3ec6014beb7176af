/**
 * Load on `hermes serve`: many requests in flight over one stdio connection, of every kind and size, some cancelled,
 * some wrong; then many HTTP clients at once, each with a session of its own. Every request is answered once, with what
 * it asked for, and memory stays flat.
 *
 * Usage: node proj/trials/serve.mjs [--requests N] [--clients N] [--each N] [--seed N] [--write]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { StreamMessageReader } from 'vscode-jsonrpc/node'
import { randomFrom } from './random.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const RESULTS = new URL('./results/serve.json', import.meta.url)
/** Requests that are open at once. */
const IN_FLIGHT = 500

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    clients: { type: 'string', default: '200' },
    each: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const random = randomFrom(Number(values.seed))
const figures = {
  seed: Number(values.seed), stdio: await overStdio(Number(values.requests)),
  http: await overHttp(Number(values.clients), Number(values.each)),
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) {
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
}
const failed = ({ lost, doubled, wrong, unexpected = 0 }) => lost + doubled + wrong + unexpected
process.exitCode = failed(figures.stdio) + failed(figures.http) === 0 ? 0 : 1

/** What a request asks for, and whether an answer is the right one. */
function requestOf(number) {
  const kind = Math.floor(random() * 8)
  const name = `f${number % 50}.txt`
  if (kind === 0) return {
    method: 'verb/execute', params: { verb: 'fs.exists', arguments: { path: name } },
    fits: ({ result }) => result?.exists === true,
  }
  if (kind === 1) {
    const words = `text ${number} ${'ü'.repeat(Math.floor(random() * 2000))}`
    const params = { text: `<tool_call>${JSON.stringify({ name: 'x', arguments: { words } })}</tool_call>` }
    return { method: 'parse', params, fits: ({ result }) => result?.blocks[0].params.words === words }
  }
  if (kind === 2) return {
    method: `unknown-${number}`, fits: ({ error }) => error?.code === -32601 && error.message.endsWith(`-${number}`),
  }
  if (kind === 3) return {
    method: 'tools/show', params: { name: 'fs.exists' }, fits: ({ result }) => result?.tool.name === 'fs.exists',
  }
  if (kind === 4) return {
    method: 'verb/execute', params: { verb: 'fs.readFile', arguments: { path: name } },
    fits: ({ result }) => result?.content === name,
  }
  if (kind === 5) return { method: 'verb/execute', params: { verb: 7 }, fits: ({ error }) => error?.code === -32602 }
  if (kind === 6) {
    const params = {
      text: `<tool_call>${JSON.stringify({ name: 'fs.lineCount', arguments: { path: name } })}</tool_call>`,
      events: number % 10 === 0,
    }
    const isRight = ({ result }) => result?.results[0].data?.lineCount === 1
    if (number % 20 !== 6) return { method: 'execute', params, fits: isRight }
    return { method: 'execute', params, cancelled: true, fits: answer =>
      answer.error?.code === -32800 || isRight(answer) || answer.result?.results[0].code === 'CANCELLED' }
  }
  return { method: 'verb/execute', params: { verb: 'context_list' }, fits: ({ result }) => result?.succeeded === true }
}

async function overStdio(count) {
  const root = workspace()
  const server = spawn(process.execPath, [CLI, 'serve'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const open = new Map()
  const figure = {
    requests: count, inFlight: IN_FLIGHT, answered: 0, lost: 0, doubled: 0, wrong: 0, unexpected: 0, events: 0,
  }
  const answered = new Set()
  let more = () => undefined
  new StreamMessageReader(server.stdout).listen(message => {
    if (message.method !== undefined) {
      figure.events++
      return
    }
    const asked = open.get(message.id)
    if (!asked) {
      figure[answered.has(message.id) ? 'doubled' : 'unexpected']++
      return
    }
    open.delete(message.id)
    answered.add(message.id)
    figure.answered++
    if (!asked.fits(message)) {
      figure.wrong++
      console.error(`wrong: ${JSON.stringify(asked)} ${JSON.stringify(message).slice(0, 500)}`)
    }
    more()
  })
  const send = message => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const until = condition => new Promise(resolve => {
    more = () => condition() && resolve()
    more()
  })
  const ask = (id, { method, params, fits, cancelled }) => {
    open.set(id, { method, params, fits })
    send({ id, method, params })
    if (cancelled) send({ method: '$/cancelRequest', params: { id } })
  }
  ask('first', { method: 'initialize', params: { workspaceRoot: root }, fits: ({ result }) => result !== undefined })
  await until(() => open.size === 0)
  const started = performance.now()
  const memory = []
  for (let number = 0; number < count; number++) {
    if (open.size >= IN_FLIGHT) await until(() => open.size < IN_FLIGHT)
    // Numbers and texts are both ids.
    ask(number % 3 === 0 ? `n${number}` : number, requestOf(number))
    if (number % Math.ceil(count / 10) === 0) memory.push(residentMb(server.pid))
  }
  await until(() => open.size === 0)
  figure.perSecond = Math.round(count * 1000 / (performance.now() - started))
  memory.push(residentMb(server.pid))
  figure.memoryMb = memory
  figure.lost = open.size
  server.stdin.end()
  await once(server, 'exit')
  removeSync(root)
  return figure
}

async function overHttp(clients, each) {
  const root = workspace()
  const server = spawn(process.execPath, [CLI, 'serve', '--http', '127.0.0.1:0'], {
    cwd: root, stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [line] = await once(server.stderr, 'data')
  const [, url, token] = /at (\S+), token (\S+)/.exec(String(line))
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const figure = { clients, requests: clients * each, answered: 0, lost: 0, doubled: 0, wrong: 0 }
  const post = (message, session) => new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(session && { 'hermes-session': session }) }
    const sent = httpRequest(url, { method: 'POST', agent, headers }, response => {
      text(response).then(
        body => resolve({ answer: JSON.parse(body), session: response.headers['hermes-session'] }), reject,
      )
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  })
  const started = performance.now()
  const memory = []
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    const { session } = await post({ id: 0, method: 'initialize', params: {} })
    for (let number = 1; number <= each; number++) {
      const { fits, cancelled: _cancelled, ...message } = requestOf(client * each + number)
      const { answer } = await post({ id: number, ...message }, session).catch(() => ({}))
      if (!answer) figure.lost++
      else if (answer.id !== number || !fits(answer)) figure.wrong++
      else figure.answered++
    }
    memory.push(residentMb(server.pid))
  }))
  figure.perSecond = Math.round(clients * each * 1000 / (performance.now() - started))
  figure.memoryMb = [memory[0], memory.at(-1)]
  agent.destroy()
  server.kill('SIGTERM')
  await once(server, 'exit')
  removeSync(root)
  return figure
}

function workspace() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-serve-')))
  for (let number = 0; number < 50; number++) writeFileSync(join(root, `f${number}.txt`), `f${number}.txt`)
  return root
}

/** Only Linux tells. */
function residentMb(pid) {
  if (process.platform !== 'linux') return 0
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
