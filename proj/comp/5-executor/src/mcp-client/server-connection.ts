import { homedir } from 'node:os'
import { resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallToolResult, Client, JSONRPCMessage, Tool, Transport } from '@modelcontextprotocol/client'
import { HermesError, isRecord, type McpServer } from '../../../0-contracts/src/index.js'
import { trustedEnvironment } from '../../../2-processes/src/index.js'
import type { Masker } from '../../../0-text/src/index.js'
import { boundedFetch } from './bounded-fetch.js'
import { callFailure, startFailure, type ServerEnd } from './server-failures.js'
import type { Sdk } from './load-client-sdk.js'
import { maskedError, maskerFor } from './maskers.js'
import type { ServerPlace } from './server-place.js'
import { ServerProcess } from './server-process.js'

/** Error code with which a server that speaks only the newest protocol refuses the older handshake. */
const UNSUPPORTED_VERSION = -32022
const NEWEST = '2026-07-28'

/** A running server. */
interface Running {
  client: Client
  transport: Transport
  /** `undefined` once the server's list has changed. */
  tools: Promise<readonly Tool[]> | undefined
}

/** Connection to one server: started at first use, and again at the next use after it has ended. */
export class Connection {
  /** Masks the secrets that the server was given. */
  readonly masker: Masker
  #starting: Promise<Running> | undefined
  /** Aborts a start. */
  #abort = new AbortController()
  /** Number of calls waiting for the start. */
  #waiting = 0
  /** Set once the server has started. */
  #running: Running | undefined
  /** Number of listed tools that violate the protocol. */
  badTools = 0

  constructor(
    readonly server: McpServer, private readonly sdk: Sdk, private readonly place: ServerPlace,
  ) {
    this.masker = maskerFor(server, process.env)
  }

  /**
   * The server's tools; requested once, and again when it announces a change.
   *
   * @param isFresh request them again
   */
  async tools(signal: AbortSignal, isFresh = false): Promise<readonly Tool[]> {
    const running = await this.#run(signal)
    if (isFresh) running.tools = undefined
    running.tools ??= this.#list(running)
    return running.tools
  }

  /** @throws HermesError `TIMEOUT`, `CANCELLED`, `TOOL_FAILED`, `SERVER_FAILED` */
  async call(
    { name }: Tool, args: Record<string, unknown>, { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ): Promise<CallToolResult> {
    const { client, transport } = await this.#run(signal)
    try {
      return await client.callTool({ name, arguments: args }, { signal, timeout: timeoutMs })
    } catch (error) {
      const failure = { server: this.server, tool: name, timeoutMs, isCancelled: signal.aborted, ...endOf(transport) }
      throw maskedError(callFailure(error, failure), this.masker)
    }
  }

  async close(): Promise<void> {
    const starting = this.#starting
    this.#abort.abort()
    this.#starting = this.#running = undefined
    const running = await starting?.catch(() => undefined)
    await running?.client.close()
  }

  async #list(running: Running): Promise<readonly Tool[]> {
    this.badTools = 0
    try {
      const { tools } = await running.client.listTools(undefined, {
        timeout: this.server.startMs, cacheMode: 'refresh',
      })
      return tools
    } catch (error) {
      running.tools = undefined
      throw this.#failed(error, running.transport)
    }
  }

  /** Starts the server. Concurrent calls wait for the same start, which is aborted when none waits any more. */
  async #run(signal: AbortSignal): Promise<Running> {
    const cancelled = new HermesError('CANCELLED', `Cancelled while the MCP server ${this.server.name} started`)
    if (signal.aborted) throw cancelled
    const starting = this.#starting ??= this.#begin()
    this.#waiting++
    let leave: () => void = () => undefined
    try {
      return await Promise.race([starting, new Promise<never>((_, reject) => {
        leave = () => reject(cancelled)
        signal.addEventListener('abort', leave, { once: true })
      })])
    } finally {
      signal.removeEventListener('abort', leave)
      if (--this.#waiting === 0 && !this.#running && this.#starting === starting) {
        this.#abort.abort()
        // The next caller starts it anew, so it must have ended first.
        await starting.catch(() => undefined)
      }
    }
  }

  #begin(): Promise<Running> {
    this.#abort = new AbortController()
    const starting = this.#start(this.#abort.signal)
    starting.catch(() => {
      if (this.#starting === starting) this.#starting = undefined
    })
    return starting
  }

  async #start(signal: AbortSignal): Promise<Running> {
    const modes = this.server.url === undefined ? ['legacy' as const, { pin: NEWEST }] : ['auto' as const]
    for (const [index, mode] of modes.entries()) {
      const transport = this.#transport()
      leaveOutBadTools(transport, this.sdk, (count) => {
        this.badTools += count
      })
      try {
        return await this.#connect(transport, mode, signal)
      } catch (error) {
        const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
        // Try the handshake and look at the error: asking for versions first would start every program twice.
        if (code !== UNSUPPORTED_VERSION || index === modes.length - 1) throw this.#failed(error, transport)
      }
    }
    throw new HermesError('INTERNAL', 'No protocol to start a server with')
  }

  #failed(error: unknown, transport: Transport): HermesError {
    return maskedError(
      error instanceof HermesError ? error : startFailure(error, this.server, endOf(transport)), this.masker,
    )
  }

  async #connect(
    transport: Transport, mode: 'legacy' | 'auto' | { pin: string }, signal: AbortSignal,
  ): Promise<Running> {
    const running = (): Running | undefined => (this.#running?.client === client ? this.#running : undefined)
    const client = new this.sdk.Client({ name: 'hermes', version: '1.0.0' }, {
      capabilities: { roots: {} },
      versionNegotiation: { mode },
      listChanged: {
        tools: {
          autoRefresh: false, debounceMs: 0, onChanged: () => {
            const current = running()
            if (current) current.tools = undefined
          },
        },
      },
      // Do not check results against the schemas of an untrusted server: a check could run without end.
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    })
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(this.place.root).href }] }))
    Object.assign(client, {
      onclose: () => {
        // So that the next call starts it anew.
        if (running()) this.#starting = this.#running = undefined
      },
    })
    const end = (): void => void close(transport).catch(() => undefined)
    signal.addEventListener('abort', end, { once: true })
    try {
      signal.throwIfAborted()
      await client.connect(transport, { timeout: this.server.startMs, signal })
    } catch (error) {
      await close(transport)
      await client.close()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
    this.#running = { client, transport, tools: undefined }
    return this.#running
  }

  #transport(): Transport {
    const { command = '', args = [], env = {}, cwd, url, headers = {}, mostMemoryBytes } = this.server
    const expand = (values: Readonly<Record<string, string>>, field: string): Record<string, string> => (
      expandVariables(values, field, this.server)
    )
    if (url !== undefined) {
      const fetch = boundedFetch(Math.max(this.server.startMs, this.server.callMs) + SLACK_MS, (problem) => {
        FLOODED.set(transport, problem)
        void transport.close()
      })
      // No redirects: headers for this server must reach no other.
      const requestInit = { headers: expand(headers, 'headers'), redirect: 'error' } as const
      const transport = new this.sdk.StreamableHTTPClientTransport(new URL(url), { requestInit, fetch })
      return transport
    }
    return new ServerProcess({
      command: atHome(command), args,
      env: { ...trustedEnvironment(this.sdk.getDefaultEnvironment()), ...expand(env, 'env') },
      // Start in a neutral directory unless the user's file names another: in the root, which models write, npx would
      // take programs from there.
      cwd: cwd === undefined ? this.place.neutral() : resolvePath(this.place.root, atHome(cwd)),
      mostMemoryBytes,
    }, this.sdk)
  }
}

/** How much longer than the SDK's own timeout to wait for an answer, in milliseconds. */
const SLACK_MS = 1000

/** Transports of servers that sent too much over HTTP, with the message. */
const FLOODED = new WeakMap<Transport, string>()

function endOf(transport: Transport): ServerEnd {
  return transport instanceof ServerProcess
    ? { said: transport.said.trim(), problem: transport.problem } : { said: '', problem: FLOODED.get(transport) }
}

/** Closes the transport of a server that did not start properly; a program is killed at once. */
async function close(transport: Transport): Promise<void> {
  await (transport instanceof ServerProcess ? transport.close(true) : transport.close())
}

function atHome(path: string): string {
  return path.replace(/^~(?=[\\/]|$)/, () => homedir())
}

/**
 * Puts variables of hermes' own environment in the place of `${NAME}`.
 *
 * @param field `env` or `headers`, for messages
 * @throws HermesError `SERVER_FAILED` for a variable that is not set: an empty token would only fail later,
 *   and elsewhere
 */
function expandVariables(
  values: Readonly<Record<string, string>>, field: string, { name, by }: McpServer,
): Record<string, string> {
  const expand = (key: string, value: string): string =>
    value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => {
    const env = process.env[variable]
    if (env !== undefined) return env
    throw new HermesError('SERVER_FAILED', `The MCP server ${name} cannot be started: ${variable} is not set`, {
      hint: `${by}: ${field}.${key} needs it. The user has to set it before hermes starts.`,
    })
  })
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(key, value)]))
}

/**
 * Leaves tools out of a server's list that are not as the protocol has them: else one would cost all of them.
 *
 * @param left is told how many of a list were left out
 */
function leaveOutBadTools(transport: Transport, { isSpecType }: Sdk, left: (count: number) => void): void {
  let handler: Transport['onmessage']
  const filtered = (message: JSONRPCMessage): JSONRPCMessage => {
    const result: unknown = 'result' in message ? message.result : undefined
    if (!('result' in message) || !isRecord(result) || !Array.isArray(result['tools'])) return message
    const { tools } = result as { tools: unknown[] }
    const usable = tools.filter((tool) => isSpecType.Tool(tool))
    left(tools.length - usable.length)
    return usable.length === tools.length ? message : { ...message, result: { ...message.result, tools: usable } }
  }
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set: (given: Transport['onmessage']) => {
      handler = given && ((message, extra) => given(filtered(message), extra))
    },
  })
}
