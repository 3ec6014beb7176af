import { loadPolicy, shownOwnFile } from '../../../2-config/src/index.js'
import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { McpVerbs, type ListedTools } from './mcp-verbs.js'

/** The tools of the configured MCP servers, starting these; and the errors of servers that cannot be used. */
export async function configuredTools(root: string, signal: AbortSignal): Promise<ListedTools> {
  return withServers(root, (remote) => remote.list(signal))
}

/** One of these tools. @throws HermesError for an unknown name, or where its server cannot be started */
export async function configuredTool(name: string, root: string, signal: AbortSignal): Promise<AnyVerb> {
  return withServers(root, async (remote) => {
    const verb = await remote.load(name, signal)
    if (verb) return verb
    throw usageError(`Unknown verb: ${name}`, remote.hint(name))
  })
}

async function withServers<T>(root: string, task: (remote: McpVerbs) => Promise<T>): Promise<T> {
  const { policy } = await loadPolicy({ root, policy: undefined, wishes: { limits: {} } })
  const servers = policy.mcpServers ?? []
  if (servers.length === 0) {
    const hint = `Name them under mcp_servers in ${shownOwnFile()}: hermes help mcp tells how.`
    throw usageError('No MCP servers are configured', hint)
  }
  // The user typed the command and need not be asked, but what the policy forbids stays forbidden.
  for (const name of ['exec', 'network'] as const) {
    const { value, by } = policy.verbs[name]
    if (value === 'off' && by !== undefined) throw new HermesError(
      'POLICY_DENIED', `MCP servers are not started: ${by} says ${name}: off`,
      { hint: 'Run it elsewhere, or change that line.' },
    )
  }
  const remote = new McpVerbs({ servers, root })
  try {
    return await task(remote)
  } finally {
    await remote.close()
  }
}
