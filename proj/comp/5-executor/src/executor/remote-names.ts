import * as v from 'valibot'
import type { AnyVerb, McpServer, RemoteVerbs } from '../../../0-contracts/src/index.js'

const NOT_CONFIGURED = 'No MCP servers are configured: the user names them under mcp_servers in ~/.hermes/config.yaml '
  + '(hermes help mcp).'

/** `mcp.server.tool`, or as function calling writes it, `mcp_server_tool`. */
export function isRemoteName(name: string): boolean {
  return /^mcp[._]/i.test(name)
}

/** The verbs of MCP servers. What they need is loaded, and a server started, when a block names one. */
export class RemoteNames {
  readonly #servers: readonly McpServer[]
  readonly #root: string
  #verbs: Promise<RemoteVerbs> | undefined
  #hint: ((name: string) => string) | undefined
  /** Servers that have been started: nothing is left to be asked for that. */
  readonly #started = new Set<string>()

  constructor(servers: readonly McpServer[], root: string) {
    this.#servers = servers
    this.#root = root
  }

  /**
   * What the settings alone tell of a tool: enough to refuse it. Its server is not started,
   * and whether it has such a tool is not known.
   */
  expected(name: string): AnyVerb | undefined {
    const server = this.#serverOf(name)
    return server && {
      name: `mcp.${server.name}.${name.slice('mcp.'.length + server.name.length + 1)}`, vocabulary: 'hermes',
      category: 'mcp', type: 'dynamic',
      description: '', version: '1.0.0', accessibility: ['llm', 'user'], constraints: [], primary: undefined,
      examples: [], permission: { value: server.calls, by: server.by }, args: v.looseObject({}), result: v.unknown(),
      handler: () => Promise.reject(new Error('Its server has not been started')),
    }
  }

  /** Whether `load` starts no program. */
  isStarted(name: string): boolean {
    const server = this.#serverOf(name)
    return server !== undefined && this.#started.has(server.name)
  }

  async load(name: string, signal: AbortSignal): Promise<AnyVerb | undefined> {
    if (this.#servers.length === 0) return undefined
    this.#verbs ??= this.#open()
    const verbs = await this.#verbs
    this.#hint = (unknown) => verbs.hint(unknown)
    const verb = await verbs.load(name, signal)
    const server = this.#serverOf(name)
    if (server) this.#started.add(server.name)
    return verb
  }

  /** No name of a server holds a dot or an underscore: the first one ends it. */
  #serverOf(name: string): McpServer | undefined {
    const [, written = ''] = /^mcp[._]([^._]*)/i.exec(name) ?? []
    return this.#servers.find((one) => one.name.toLowerCase() === written.toLowerCase())
  }

  /** What to write instead of a name that `load` did not find. */
  hint(name: string): string {
    if (this.#hint) return this.#hint(name)
    if (this.#servers.length === 0) return NOT_CONFIGURED
    return `MCP servers: ${this.#servers.map((one) => one.name).join(', ')}. Write mcp.<server>.<tool>.`
  }

  async close(): Promise<void> {
    const verbs = await this.#verbs
    await verbs?.close()
  }

  async #open(): Promise<RemoteVerbs> {
    const { McpVerbs } = await import('../mcp-client/index.js')
    return new McpVerbs({ servers: this.#servers, root: this.#root })
  }
}
