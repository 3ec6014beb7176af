/** Language servers as the truth for references: tsserver by its own protocol, pyright by LSP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program that answers messages on its standard output, each after its length in a header. */
class Server {
  #child
  #buffer = Buffer.alloc(0)
  #waiting = new Map()
  #handle

  constructor(args, cwd, handle) {
    this.#handle = handle
    const options = { cwd, stdio: ['pipe', 'pipe', 'inherit'] }
    this.#child = spawn(process.execPath, ['--max-old-space-size=4096', ...args], options)
    this.#child.stdout.on('data', (data) => this.#read(data))
  }

  write(text) {
    this.#child.stdin.write(text)
  }

  answer(id) {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
    })
  }

  async end() {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }

  #read(data) {
    this.#buffer = Buffer.concat([this.#buffer, data])
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/.exec(this.#buffer.subarray(0, end === -1 ? 0 : end).toString()) ?? []
      if (length === undefined || this.#buffer.length < end + 4 + Number(length)) return
      const body = this.#buffer.subarray(end + 4, end + 4 + Number(length)).toString()
      this.#buffer = this.#buffer.subarray(end + 4 + Number(length))
      const message = JSON.parse(body)
      const id = message.request_seq ?? (message.method === undefined ? message.id : undefined)
      this.#waiting.get(id)?.(message)
      this.#waiting.delete(id)
      this.#handle(message)
    }
  }
}

export class TsServer {
  static async start(repository, directory) {
    const program = join(repository, 'proj', 'node_modules', 'typescript')
    const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8'))
    return new TsServer(new Server([join(program, 'lib', 'tsserver.js')], directory, () => undefined), version)
  }

  #server
  #next = 1
  #opened = new Set()

  constructor(server, version) {
    this.#server = server
    this.name = `tsserver ${version}`
  }

  async references({ path, line, column }) {
    const file = realpathSync(path)
    if (!this.#opened.has(file)) this.#send('open', { file })
    this.#opened.add(file)
    const { body } = await this.#send('references', { file, line, offset: column })
    return (body?.refs ?? []).map((each) => ({ path: each.file, line: each.start.line, column: each.start.offset }))
  }

  end() {
    return this.#server.end()
  }

  #send(command, args) {
    const seq = this.#next++
    this.#server.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`)
    return command === 'open' ? undefined : this.#server.answer(seq)
  }
}

export class Pyright {
  static async start(place, directory) {
    const program = join(place, 'node_modules', 'pyright')
    const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8'))
    const settings = { typeCheckingMode: 'off', pythonVersion: '3.11' }
    writeFileSync(join(directory, 'pyrightconfig.json'), JSON.stringify(settings))
    const started = {}
    const server = new Server([join(program, 'langserver.index.js'), '--stdio'], directory, (message) => {
      if (message.method !== undefined && message.id !== undefined) started.pyright?.reply(message)
    })
    const pyright = new Pyright(server, version)
    started.pyright = pyright
    const uri = pathToFileURL(directory).href
    await pyright.request('initialize', {
      processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: 'corpus' }],
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
    })
    pyright.send({ method: 'initialized', params: {} })
    return pyright
  }

  #server
  #next = 1
  #opened = new Set()

  constructor(server, version) {
    this.#server = server
    this.name = `pyright ${version}`
  }

  async references({ path, line, column }) {
    const uri = pathToFileURL(path).href
    if (!this.#opened.has(uri)) {
      const text = readFileSync(path, 'utf8')
      const textDocument = { uri, languageId: 'python', version: 1, text }
      this.send({ method: 'textDocument/didOpen', params: { textDocument } })
    }
    this.#opened.add(uri)
    const { result } = await this.request('textDocument/references', {
      textDocument: { uri }, position: { line: line - 1, character: column - 1 }, context: { includeDeclaration: true },
    })
    return (result ?? []).map((each) => ({
      path: fileURLToPath(each.uri), line: each.range.start.line + 1, column: each.range.start.character + 1,
    }))
  }

  end() {
    return this.#server.end()
  }

  request(method, params) {
    const id = this.#next++
    this.send({ id, method, params })
    return this.#server.answer(id)
  }

  /** What the server asks for: settings, and to register what is of no use here. */
  reply({ id, method, params }) {
    this.send({ id, result: method === 'workspace/configuration' ? params.items.map(() => ({})) : null })
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#server.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}
