import * as v from 'valibot'
import type { AnyVerb, McpServer, Policy, RemoteVerbs } from '../../../0-contracts/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'

const NOT_CONFIGURED = (): string => (
  `No MCP servers are configured: the user names them under mcp_servers in ${shownOwnFile()} (hermes help mcp).`
)

/** `mcp.server.tool`, or in the form of function calling `mcp_server_tool`. */
export function isRemoteName(name: string): boolean {
  return /^mcp[._]/i.test(name)
}

/** The tools of MCP servers as verbs. Code is loaded, and a server started, when a block names one. */
export class RemoteNames {
  #verbs: Promise<RemoteVerbs> | undefined
  #hint: ((name: string) => string) | undefined
  /** Servers already started: they need no further approval. */
  readonly #started = new Set<string>()

  constructor(private readonly servers: readonly McpServer[], private readonly root: string) {}

  /**
   * A verb made from the settings alone, enough to refuse a call by policy. Its server is not started, and whether it
   * has such a tool is not known.
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

  /** Whether `load` would start no program, since the server is running. */
  isStarted(name: string): boolean {
    const server = this.#serverOf(name)
    return server !== undefined && this.#started.has(server.name)
  }

  async load(name: string, signal: AbortSignal): Promise<AnyVerb | undefined> {
    if (this.servers.length === 0) return undefined
    this.#verbs ??= import('../mcp-client/index.js')
      .then(({ McpVerbs }) => new McpVerbs({ servers: this.servers, root: this.root }))
    const verbs = await this.#verbs
    this.#hint = (unknown) => verbs.hint(unknown)
    const verb = await verbs.load(name, signal)
    const server = this.#serverOf(name)
    if (server) this.#started.add(server.name)
    return verb
  }

  /** Server names hold no dot or underscore: the first one ends the name. */
  #serverOf(name: string): McpServer | undefined {
    const [, written = ''] = /^mcp[._]([^._]*)/i.exec(name) ?? []
    return this.servers.find((server) => server.name.toLowerCase() === written.toLowerCase())
  }

  /** The hint for a name that `load` did not find. */
  hint(name: string): string {
    if (this.#hint) return this.#hint(name)
    if (this.servers.length === 0) return NOT_CONFIGURED()
    return `MCP servers: ${this.servers.map((server) => server.name).join(', ')}. Write mcp.<server>.<tool>.`
  }

  async close(): Promise<void> {
    await (await this.#verbs)?.close()
  }
}

/** Adds servers to a policy; one of the user's config takes precedence over another of the same name. */
export function withServers(policy: Policy, further: readonly McpServer[]): Policy {
  const own = policy.mcpServers ?? []
  const names = new Set(own.map(({ name }) => name.toLowerCase()))
  return { ...policy, mcpServers: [...own, ...further.filter(({ name }) => !names.has(name.toLowerCase()))] }
}
