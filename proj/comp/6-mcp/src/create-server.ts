import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { realpathSync } from 'node:fs'
import { HermesError, orNothing, tracked } from '../../0-contracts/src/index.js'
import { connectedClient, statelessClient } from './client.js'
import { listResources, readResource, TEMPLATES, type ResourceScope } from './resources.js'
import { callTool, listTools, type ToolCallParts } from './tool-calls.js'

export interface ServerParts extends Omit<ToolCallParts, 'client'> {
  /** Of hermes. */
  version: string
  root: string
}

const INSTRUCTIONS = 'Tools change files below one root directory; relative paths start there. Each call is one run: '
  + 'it is committed in a '
  + 'git work tree, and hermes undo takes it back. apply_response runs several blocks as one run. '
  + 'A tool that fails says what to do instead.'

/**
 * Makes a server of the SDK.
 *
 * @param era `legacy`: a connection that begins with `initialize`; `modern`: independent requests
 * @param isOwn whether the connection serves one client
 */
export function createServer(
  { sdk, connection, version, root, yes, reply }: ServerParts, era: 'legacy' | 'modern', isOwn: boolean,
): Server {
  const server = new sdk.Server({ name: 'hermes', title: 'hermes', version }, {
    capabilities: { tools: {}, resources: { listChanged: true } },
    instructions: INSTRUCTIONS,
  })
  const client = era === 'legacy' ? connectedClient(server) : statelessClient(isOwn)
  const parts = { sdk, connection, client, yes, reply }
  const place = orNothing(() => realpathSync.native(root), root)
  const scope = async (ctx: ServerContext): Promise<ResourceScope> => {
    try {
      const within = await client.knownRoots(ctx)
      return { connection, root: place, within, isTold: true }
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      return { connection, root: place, within: [], isTold: false }
    }
  }
  server.setRequestHandler('tools/list', async (_request, ctx) => ({ tools: await listTools(parts, ctx) }))
  server.setRequestHandler(
    'tools/call', ({ params }, ctx) => tracked(connection.calls, callTool(params, ctx, parts)),
  )
  server.setRequestHandler(
    'resources/list', async (_request, ctx) => ({ resources: await listResources(await scope(ctx)) }),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const fail = ({ message, code }: { message: string; code: string }): Error => (
      new sdk.ProtocolError(INTERNAL_ERROR, message, { code, uri })
    )
    const resource = await readResource(uri, await scope(ctx), fail)
    if (resource) return resource
    throw new sdk.ResourceNotFoundError(uri)
  })
  if (isOwn) {
    const tell = (): void => {
      void server.sendResourceListChanged().catch(() => undefined)
    }
    connection.resourceListeners.add(tell)
    Object.assign(server, { onclose: () => connection.resourceListeners.delete(tell) })
  }
  return server
}

const INTERNAL_ERROR = -32603
