import type { McpServer as GivenServer } from '@agentclientprotocol/sdk'
import { HermesError, type McpServer, type McpServerOptions } from '../../0-contracts/src/index.js'
import { givenServers } from '../../2-config/src/index.js'

const BY = 'your editor\'s settings'
const LONGEST_NAME = 32

/**
 * The MCP servers that the client has its agent use. Each call of their tools is asked about, as with servers of the
 * user's file that say nothing else.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function sessionServers(given: readonly GivenServer[]): McpServer[] {
  const servers: Record<string, McpServerOptions> = {}
  for (const server of given) servers[freeName(server.name, servers)] = optionsOf(server)
  return givenServers(servers, BY)
}

function optionsOf(server: GivenServer): McpServerOptions {
  if (!('type' in server)) return { command: server.command, args: server.args, env: pairs(server.env) }
  if (server.type === 'http') return { url: server.url, headers: pairs(server.headers) }
  throw new HermesError('INVALID_OPTION', `The MCP server ${server.name} is spoken to by SSE, which hermes does not`, {
    hint: 'Give its address for streamable HTTP, or start it as a program.',
  })
}

function pairs(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}

/** Names of tools begin with that of their server, which therefore has letters, digits and `-` only. */
function freeName(written: string, taken: Readonly<Record<string, unknown>>): string {
  const plain = written.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[^A-Za-z]+|-+$/g, '').slice(0, LONGEST_NAME - 3)
  const name = plain === '' ? 'server' : plain
  let free = name
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name}-${count}`
  return free
}
