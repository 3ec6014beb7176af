import type {
  createMcpHandler, inputRequired, isLegacyRequest, ProtocolError, ResourceNotFoundError, Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

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

/** Only those who serve load it. */
export async function loadSdk(): Promise<Sdk> {
  return { ...await import('@modelcontextprotocol/server'), ...await import('@modelcontextprotocol/server/stdio') }
}
