import type {
  createMcpHandler, inputRequired, isLegacyRequest, ProtocolError, ResourceNotFoundError, Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { HermesError, isNodeError } from '../../contracts/src/index.js'

/** What is used of the official SDK. */
export interface Sdk {
  Server: typeof Server
  ProtocolError: typeof ProtocolError
  ResourceNotFoundError: typeof ResourceNotFoundError
  inputRequired: typeof inputRequired
  createMcpHandler: typeof createMcpHandler
  isLegacyRequest: typeof isLegacyRequest
  WebStandardStreamableHTTPServerTransport: typeof WebStandardStreamableHTTPServerTransport
  serveStdio: typeof serveStdio
  StdioServerTransport: typeof StdioServerTransport
}

/** @throws HermesError `NOT_INSTALLED` */
export async function loadSdk(): Promise<Sdk> {
  try {
    const server = await import('@modelcontextprotocol/server')
    const stdio = await import('@modelcontextprotocol/server/stdio')
    return { ...server, ...stdio }
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HermesError('NOT_INSTALLED', 'hermes mcp cannot start: @modelcontextprotocol/server is not installed', {
      hint: 'It is an optional package: npm install @modelcontextprotocol/server, where hermes is installed.',
      cause: error,
    })
  }
}
