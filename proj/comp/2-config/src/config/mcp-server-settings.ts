import type { McpServer } from '../../../0-contracts/src/index.js'
import type { PolicyValues } from './policy-schema.js'
import type { PolicySource } from './source.js'

/** How long a server may take to start, in milliseconds: `npx` may have to fetch it first. */
const START_MS = 30_000
/** How long one call may take. */
const CALL_MS = 60_000

/** The servers of the user's file, in its order, with what it leaves out. */
export function mcpServers(values: NonNullable<PolicyValues['mcp_servers']>, { place }: PolicySource): McpServer[] {
  return Object.entries(values)
    .map(([name, server]) => {
      const {
        calls = 'ask', start_time: startMs = START_MS, call_time: callMs = CALL_MS, memory: mostMemoryBytes, ...rest
      } = server
      return { name, calls, startMs, callMs, mostMemoryBytes, by: place('mcp_servers', name), ...rest }
    })
}
