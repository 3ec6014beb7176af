import { homedir } from 'node:os'
import { resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallToolResult, Client, Tool, Transport } from '@modelcontextprotocol/client'
import { HermesError, type McpServer } from '../../contracts/src/index.js'
import { expandVariables } from './expand-variables.js'
import { callFailure, startFailure } from './failures.js'
import type { Sdk } from './load-sdk.js'
import { StderrTail } from './stderr-tail.js'

/** A server that knows only the newest protocol refuses the handshake of the others with this code. */
const UNSUPPORTED_VERSION = -32022
const NEWEST = '2026-07-28'

/** A server while it runs. */
interface Running {
  client: Client
  stderr: StderrTail
  /** Undefined once it has changed. */
  tools: Promise<readonly Tool[]> | undefined
}

/** One server: started at its first use, started anew at the next use after it has ended. */
export class Connection {
  readonly server: McpServer
  readonly #sdk: Sdk
  readonly #root: string
  readonly #environment: NodeJS.ProcessEnv
  #starting: Promise<Running> | undefined
  /** Once it has started. */
  #running: Running | undefined

  constructor(server: McpServer, sdk: Sdk, root: string, environment: NodeJS.ProcessEnv) {
    this.server = server
    this.#sdk = sdk
    this.#root = root
    this.#environment = environment
  }

  /**
   * What the server offers; asked for once, and again when it says that it has changed.
   *
   * @param isFresh asks again
   */
  async tools(signal: AbortSignal, isFresh = false): Promise<readonly Tool[]> {
    const running = await this.#run(signal)
    if (isFresh) running.tools = undefined
    running.tools ??= this.#list(running)
    return running.tools
  }

  /** @throws HermesError `TIMEOUT`, `CANCELLED`, `TOOL_FAILED`, `SERVER_FAILED` */
  async call(tool: Tool, args: Record<string, unknown>, { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }): Promise<CallToolResult> {
    const { client, stderr } = await this.#run(signal)
    try {
      return await client.callTool({ name: tool.name, arguments: args }, { signal, timeout: timeoutMs, toolDefinition: tool })
    } catch (error) {
      throw callFailure(error, { server: this.server, tool: tool.name, timeoutMs, isCancelled: signal.aborted, said: stderr.text() })
    }
  }

  async close(): Promise<void> {
    const starting = this.#starting
    this.#starting = this.#running = undefined
    const running = await starting?.catch(() => undefined)
    await running?.client.close()
  }

  async #list(running: Running): Promise<readonly Tool[]> {
    try {
      const { tools } = await running.client.listTools(undefined, { timeout: this.server.startMs, cacheMode: 'refresh' })
      return tools
    } catch (error) {
      running.tools = undefined
      throw startFailure(error, this.server, running.stderr.text())
    }
  }

  /** Those that ask while it starts wait for the same start. */
  async #run(signal: AbortSignal): Promise<Running> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined
      throw error
    })
    const cancelled = new HermesError('CANCELLED', `Cancelled while the MCP server ${this.server.name} started`)
    if (signal.aborted) throw cancelled
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(cancelled)
      signal.addEventListener('abort', leave, { once: true })
      this.#starting?.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  async #start(): Promise<Running> {
    try {
      return await this.#connect(this.server.url === undefined ? 'legacy' : 'auto')
    } catch (error) {
      const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== UNSUPPORTED_VERSION) throw error instanceof HermesError ? error : startFailure(error, this.server, said(error))
    }
    // Asking first would start every program twice.
    return this.#connect({ pin: NEWEST }).catch((error: unknown) => {
      throw error instanceof HermesError ? error : startFailure(error, this.server, said(error))
    })
  }

  async #connect(mode: 'legacy' | 'auto' | { pin: string }): Promise<Running> {
    const stderr = new StderrTail()
    const transport = this.#transport(stderr)
    const running = (): Running | undefined => (this.#running?.client === client ? this.#running : undefined)
    const forget = (): void => {
      const current = running()
      if (current) current.tools = undefined
    }
    const client = new this.#sdk.Client({ name: 'hermes', version: '1.0.0' }, {
      capabilities: { roots: {} },
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => forget() } },
    })
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(this.#root).href }] }))
    Object.assign(client, {
      onclose: () => {
        // The next call starts it anew.
        if (running()) this.#starting = this.#running = undefined
      },
    })
    try {
      await client.connect(transport, { timeout: this.server.startMs })
    } catch (error) {
      await client.close().catch(() => undefined)
      await transport.close().catch(() => undefined)
      if (error instanceof Error) SAID.set(error, stderr.text())
      throw error
    }
    this.#running = { client, stderr, tools: undefined }
    return this.#running
  }

  #transport(stderr: StderrTail): Transport {
    const { command, args = [], env = {}, cwd, url, headers = {} } = this.server
    const expand = (values: Readonly<Record<string, string>>, field: string): Record<string, string> => (
      expandVariables(values, field, this.server, this.#environment)
    )
    if (url !== undefined) {
      // What is sent along for this server goes to no other.
      return new this.#sdk.StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: expand(headers, 'headers'), redirect: 'error' },
      })
    }
    const transport = new this.#sdk.StdioClientTransport({
      command: command ?? '', args: [...args], env: { ...this.#sdk.getDefaultEnvironment(), ...expand(env, 'env') },
      cwd: directoryOf(cwd ?? '.', this.#root),
      stderr: 'pipe',
    })
    stderr.read(transport.stderr)
    return transport
  }

}

/** Relative ones start at the root. */
function directoryOf(cwd: string, root: string): string {
  return resolvePath(root, cwd.replace(/^~(?=[\\/]|$)/, () => homedir()))
}

/** What a server printed before it failed to start. */
const SAID = new WeakMap<Error, string>()

function said(error: unknown): string {
  return error instanceof Error ? SAID.get(error) ?? '' : ''
}
