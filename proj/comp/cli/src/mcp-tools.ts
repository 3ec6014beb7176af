import { realpathSync } from 'node:fs'
import { loadPolicy } from '../../config/src/index.js'
import { HermesError, type AnyVerb, type Policy } from '../../contracts/src/index.js'
import { McpVerbs } from '../../mcp-client/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import { usageError } from './arguments.js'
import { interruptible } from './interrupt.js'
import { printError } from './output.js'

const NONE = 'Name them under mcp_servers in ~/.hermes/config.yaml: hermes help mcp tells how.'

/**
 * The tools of the configured MCP servers, which are started for it; those that cannot be are told on standard error.
 */
export async function listMcpTools(): Promise<AnyVerb[]> {
  return withServers(async (remote, signal) => {
    const { verbs, problems } = await remote.list(signal)
    for (const { message, hint } of problems) {
      printError(`hermes: ${escapeControls(message)}\n${hint === undefined ? '' : `  ${escapeControls(hint, true)}\n`}`)
    }
    return verbs
  })
}

/** One of them. @throws HermesError for an unknown name, and where its server cannot be started */
export async function loadMcpTool(name: string): Promise<AnyVerb> {
  return withServers(async (remote, signal) => {
    const verb = await remote.load(name, signal)
    if (verb) return verb
    throw usageError(`Unknown verb: ${name}`, remote.hint(name))
  })
}

async function withServers<T>(task: (remote: McpVerbs, signal: AbortSignal) => Promise<T>): Promise<T> {
  const root = realpathSync.native(process.cwd())
  const { policy } = await loadPolicy({ root, policy: undefined, wishes: { limits: {} } })
  const servers = policy.mcpServers ?? []
  if (servers.length === 0) throw usageError('No MCP servers are configured', NONE)
  requirePrograms(policy)
  const remote = new McpVerbs({ servers, root })
  const interrupt = interruptible()
  try {
    return await interrupt.during(() => task(remote, interrupt.signal))
  } finally {
    await remote.close()
  }
}

/** The command is the user's own, who need not be asked; what the policy forbids is not done all the same. */
function requirePrograms({ verbs: { exec, network } }: Policy): void {
  for (const [name, { value, by }] of [['exec', exec], ['network', network]] as const) {
    if (value !== 'off' || by === undefined) continue
    throw new HermesError(
      'POLICY_DENIED', `MCP servers are not started: ${by} says ${name}: off`,
      { hint: 'Run it elsewhere, or change that line.' },
    )
  }
}
