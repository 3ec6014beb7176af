import type { AnyVerb, McpServer, RemoteVerbs } from '../../contracts/src/index.js'

const NOT_CONFIGURED = 'No MCP servers are configured: the user names them under mcp_servers in ~/.hermes/config.yaml (docs/mcp.md).'

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

  constructor(servers: readonly McpServer[], root: string) {
    this.#servers = servers
    this.#root = root
  }

  async load(name: string, signal: AbortSignal): Promise<AnyVerb | undefined> {
    if (this.#servers.length === 0) return undefined
    this.#verbs ??= this.#open()
    const verbs = await this.#verbs
    this.#hint = (unknown) => verbs.hint(unknown)
    return verbs.load(name, signal)
  }

  /** What to write instead of a name that `load` did not find. */
  hint(name: string): string {
    return this.#hint?.(name) ?? NOT_CONFIGURED
  }

  async close(): Promise<void> {
    const verbs = await this.#verbs
    await verbs?.close()
  }

  async #open(): Promise<RemoteVerbs> {
    const { McpVerbs } = await import('../../mcp-client/src/index.js')
    return new McpVerbs({ servers: this.#servers, root: this.#root })
  }
}
