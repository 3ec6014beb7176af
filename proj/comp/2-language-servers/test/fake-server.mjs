/**
 * A language server that does what a scenario says, faults included. Its one argument is the path of the scenario, JSON
 * with any of these:
 *
 * - `initialize`: `"hang"`, `"crash"`, `"garbage"` (what is no message, and never ends), `{ "error" }`, or the result;
 * - `answers`: by method a list of steps, one for each call; the last is used again. A step is `{ "result" }`,
 *   `{ "error": { code, message } }`, `"hang"`, `"crash"`, `"crash once"`, or `{ "say": [messages], … }` before it answers;
 * - `diagnostics`: by the end of a URI what `publishDiagnostics` tells as the text changes: `[{ "has": TEXT, ... }]`
 *   tells each of which the text holds `has`, where it stands; with `without: { END: TEXT }` where no file that ends so
 *   holds that;
 * - `late`: after how many milliseconds a change of one file makes it tell of the others again;
 * - `encoding`: how its positions count characters;
 * - `asks`: requests that it makes of the client when it is initialized;
 * - `floods`: how many notifications it sends before each answer;
 * - `log`: a file to which it appends a line for each message that it gets.
 *
 * `$root` in any text of the scenario stands for the root URI that the client has named, `$pid` for its process.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const scenario = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const texts = new Map()
const versions = new Map()
const asked = new Map()
let root = ''
let bytes = Buffer.alloc(0)
let lastId = 0

const filled = (value) => (
  JSON.parse(JSON.stringify(value ?? null).replaceAll('$root', root).replaceAll('$pid', String(process.pid)))
)
const log = (line) => { if (scenario.log) appendFileSync(scenario.log, `${JSON.stringify(line)}\n`) }

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`)
  process.stdout.write(body)
}

function crash() {
  process.stderr.write('fake-server: panic: it has crashed\n')
  process.exit(3)
}

function garbage() {
  process.stdout.write(`${'no message '.repeat(1000)}\n`, () => setImmediate(garbage))
}

function answer(id, step) {
  for (let sent = 0; sent < (scenario.floods ?? 0); sent++) send({ method: 'window/logMessage', params: { type: 4, message: 'flood' } })
  if (step === 'hang') return
  if (step === 'crash') return crash()
  if (step === 'crash once' && !existsSync(scenario.once)) {
    writeFileSync(scenario.once, '')
    return crash()
  }
  if (step === 'garbage') return garbage()
  const { say = [], error, result = null, writes } = step ?? {}
  if (writes) writeFileSync(writes.path.replace('$here', fileURLToPath(root)), writes.text)
  for (const message of say) send(filled(message))
  if (error) send({ id, error })
  else send({ id, result: filled(result) })
}

const holds = (end, kept) => [...texts].some(([uri, text]) => uri.endsWith(end) && text.includes(kept))

function publish(uri, version) {
  const text = texts.get(uri) ?? ''
  for (const [end, rules] of Object.entries(scenario.diagnostics ?? {})) {
    if (!uri.endsWith(end)) continue
    const diagnostics = rules.flatMap(({ has, without = {}, ...told }) => {
      const at = text.indexOf(has)
      if (at === -1 || Object.entries(without).some(([other, kept]) => holds(other, kept))) return []
      const before = text.slice(0, at).split('\n')
      const start = { line: before.length - 1, character: before.at(-1).length }
      return [{ range: { start, end: { ...start, character: start.character + has.length } }, ...told }]
    })
    send({ method: 'textDocument/publishDiagnostics', params: { uri, ...(scenario.unversioned ? {} : { version }), diagnostics } })
  }
}

function take({ id, method, params, result, error }) {
  log({ ...(id !== undefined && { id }), method, params, result, error })
  if (method === undefined) return
  if (method === 'initialize') {
    root = params.rootUri
    const { initialize } = scenario
    const isOnce = scenario.once !== undefined && existsSync(scenario.once)
    if (typeof initialize === 'string' && !isOnce) {
      if (scenario.once !== undefined) writeFileSync(scenario.once, '')
      return answer(id, initialize)
    }
    if (initialize?.error) return send({ id, error: initialize.error })
    return send({ id, result: typeof initialize === 'object' ? initialize : {
      capabilities: {
        ...(scenario.encoding && { positionEncoding: scenario.encoding }), textDocumentSync: 1,
        definitionProvider: true, referencesProvider: true, renameProvider: true,
      },
    } })
  }
  if (method === 'initialized') for (const ask of scenario.asks ?? []) send({ id: `ask ${++lastId}`, ...filled(ask) })
  if (method === 'textDocument/didOpen') texts.set(params.textDocument.uri, params.textDocument.text)
  if (method === 'textDocument/didChange') texts.set(params.textDocument.uri, params.contentChanges[0].text)
  if (method === 'textDocument/didOpen' || method === 'textDocument/didChange') {
    const { uri, version } = params.textDocument
    publish(uri, version)
    versions.set(uri, version)
    const tellOthers = () => { for (const [other, known] of versions) if (other !== uri) publish(other, known) }
    if (scenario.late && method === 'textDocument/didChange') setTimeout(tellOthers, scenario.late)
  }
  if (method === 'exit') process.exit(0)
  if (id === undefined) return
  if (method === 'shutdown') return send({ id, result: null })
  const steps = scenario.answers?.[method]
  if (!steps) return send({ id, error: { code: -32601, message: `no ${method} here` } })
  const count = asked.get(method) ?? 0
  asked.set(method, count + 1)
  answer(id, steps[Math.min(count, steps.length - 1)])
}

process.stdin.on('data', (chunk) => {
  bytes = Buffer.concat([bytes, chunk])
  for (;;) {
    const head = bytes.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, head).toString('latin1'))[1])
    if (bytes.length < head + 4 + length) return
    const body = bytes.subarray(head + 4, head + 4 + length)
    bytes = bytes.subarray(head + 4 + length)
    take(JSON.parse(body.toString('utf8')))
  }
})
process.stdin.on('end', () => process.exit(0))
