import type { LanguageServer, McpServer, McpServerOptions } from '../../../0-contracts/src/index.js'
import { inHome } from './hermes-home.js'
import type { PolicyValues } from './policy-schema.js'
import { checkPolicy, type PolicySource } from './source.js'

/** Time for a server to start, in milliseconds: `npx` may have to fetch it first. */
const START_MS = 30_000
/** Time for one call, in milliseconds. */
const CALL_MS = 60_000

/** The MCP servers of the user's file, in its order, with defaults. */
export function mcpServers(
  values: NonNullable<PolicyValues['mcp_servers']>, { place }: Pick<PolicySource, 'place'>,
): McpServer[] {
  return Object.entries(values).map(([name, {
    calls = 'ask', start_time: startMs = START_MS, call_time: callMs = CALL_MS, memory: mostMemoryBytes, ...rest
  }]) => ({ name, calls, startMs, callMs, mostMemoryBytes, by: place('mcp_servers', name), ...rest }))
}

/**
 * MCP servers that another program of the user names, validated like those of the user's file.
 *
 * @param by who names them
 * @throws HermesError `INVALID_OPTION`
 */
export function givenServers(servers: Readonly<Record<string, McpServerOptions>>, by: string): McpServer[] {
  const { mcp_servers: values = {} } = checkPolicy(
    { mcp_servers: servers }, (path) => ({ text: `${by}: ${path.join('.')}`, order: 0 }),
    { code: 'INVALID_OPTION', isProject: false },
  )
  return mcpServers(values, { place: () => by })
}

/** Time for a server to answer `initialize`, in milliseconds. */
const LANGUAGE_START_MS = 30_000
/** Time for one request, in milliseconds: the first may wait until the project has been read. */
const LANGUAGE_CALL_MS = 30_000

/** The language servers of the user's file, in its order. */
export function languageServers(
  values: NonNullable<PolicyValues['language_servers']>, { place }: Pick<PolicySource, 'place'>,
): LanguageServer[] {
  return Object.entries(values).map(([name, {
    command, args = [], languages, env = {}, settings = {}, initialization,
    start_time: startMs = LANGUAGE_START_MS, call_time: callMs = LANGUAGE_CALL_MS, memory: mostMemoryBytes,
  }]) => ({
    name, command: [command, ...args].map(inHome), languages, env, settings, initialization, startMs, callMs,
    mostMemoryBytes, by: place('language_servers', name),
  }))
}
