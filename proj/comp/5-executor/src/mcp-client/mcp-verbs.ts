import type { Tool } from '@modelcontextprotocol/client'
import {
  caughtLater, HermesError, type AnyVerb, type McpServer, type RemoteVerbs,
} from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { compilePattern } from '../../../2-files/src/index.js'
import { toolName } from '../../../1-registry/src/index.js'
import { Connection } from './server-connection.js'
import { loadSdk, type Sdk } from './load-client-sdk.js'
import { ServerPlace } from './server-place.js'
import { isUsableName, toolVerb } from './tool-verb.js'

export interface McpVerbsOptions {
  servers: readonly McpServer[]
  /**
   * The workspace root that servers are told of; their own working directory is elsewhere, unless their settings say
   * so.
   */
  root: string
}

/** What `hermes tools list --mcp` shows. */
export interface ListedTools {
  verbs: AnyVerb[]
  /** Errors of servers and tools that cannot be used. */
  problems: HermesError[]
}

/**
 * The tools of the configured servers, as verbs `mcp.<server>.<tool>`. A server starts when one of its tools is named.
 */
export class McpVerbs implements RemoteVerbs {
  readonly #place: ServerPlace
  readonly #connections = new Map<string, Connection>()
  /** Names of the tools seen so far, for hints. */
  readonly #seen = new Map<string, readonly string[]>()
  #sdk: Promise<Sdk> | undefined

  constructor(private readonly options: McpVerbsOptions) {
    this.#place = new ServerPlace(options.root)
  }

  async load(name: string, signal: AbortSignal): Promise<AnyVerb | undefined> {
    const { server, tool } = this.#parts(name)
    if (!server) return undefined
    if (server.calls === 'off') throw new HermesError(
      'POLICY_DENIED', `The MCP server ${server.name} is switched off: ${server.by} says calls: off`,
      { hint: 'Only the user can change the policy; do without it.' },
    )
    const sdk = await (this.#sdk ??= loadSdk())
    const connection = this.#connection(server, sdk)
    // Not every server announces a new tool, so ask once more.
    const meant = await this.#find(connection, tool, signal) ?? await this.#find(connection, tool, signal, true)
    return meant && toolVerb(meant, connection, sdk)
  }

  async #find(connection: Connection, tool: string, signal: AbortSignal, isFresh = false): Promise<Tool | undefined> {
    const { server } = connection
    const tools = (await connection.tools(signal, isFresh)).filter((other) =>
      isUsableName(other.name) && isOffered(server, other.name))
    this.#seen.set(server.name, tools.map((candidate) => candidate.name))
    const written = toolName(tool).toLowerCase()
    const alike = tools.filter((candidate) => toolName(candidate.name).toLowerCase() === written)
    return tools.find((other) => other.name === tool) ?? (alike.length === 1 ? alike[0] : undefined)
  }

  hint(name: string): string {
    const { server, tool } = this.#parts(name)
    const names = this.options.servers.map((candidate) => candidate.name)
    if (!server) return `MCP servers: ${names.join(', ')}. Write mcp.<server>.<tool>.`
    const tools = this.#seen.get(server.name) ?? []
    const meant = nearest(tool, tools)
    if (meant !== undefined) return `Did you mean mcp.${server.name}.${meant}?`
    return tools.length === 0 ? `${server.name} offers no tools.` : `Tools of ${server.name}: ${tools.join(', ')}.`
  }

  /** Lists the tools of all servers that are not off, starting these; or of the named one. */
  async list(signal: AbortSignal): Promise<ListedTools> {
    const sdk = await (this.#sdk ??= loadSdk())
    const listed = await Promise.all(this.options.servers.filter(({ calls }) => calls !== 'off')
      .map(async (server) => {
      const verbs: AnyVerb[] = []
      const problems: HermesError[] = []
      const attempt = async (task: () => Promise<void> | void): Promise<void> => {
        await caughtLater(HermesError, task, (error) => problems.push(error))
      }
      await attempt(async () => {
        const connection = this.#connection(server, sdk)
        for (const tool of await connection.tools(signal)) {
          if (!isOffered(server, tool.name)) continue
          await attempt(() => {
            verbs.push(toolVerb(tool, connection, sdk))
          })
        }
        const { badTools } = connection
        if (badTools > 0) {
          throw new HermesError(
            'SERVER_FAILED', `mcp.${server.name}: ${badTools} of its tools are not as the protocol has them`,
            { hint: 'They cannot be called; the others can.' },
          )
        }
      })
      return { verbs, problems }
    }))
    return { verbs: listed.flatMap(({ verbs }) => verbs), problems: listed.flatMap(({ problems }) => problems) }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()))
    this.#place.remove()
  }

  #connection(server: McpServer, sdk: Sdk): Connection {
    const known = this.#connections.get(server.name)
    if (known) return known
    const connection = new Connection(server, sdk, this.#place)
    this.#connections.set(server.name, connection)
    return connection
  }

  /** Server names hold no dot or underscore: the first one ends the name. */
  #parts(name: string): { server: McpServer | undefined; tool: string } {
    const [, written = '', tool = ''] = /^mcp[._]([^._]*)[._]?(.*)$/is.exec(name) ?? []
    return { server: this.options.servers.find((server) => server.name.toLowerCase() === written.toLowerCase()), tool }
  }
}

function isOffered({ tools }: McpServer, name: string): boolean {
  return tools === undefined
    || tools.some((pattern) => compilePattern('policy', 'tools', pattern, { dot: true }).matches(name))
}
