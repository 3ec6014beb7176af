import type {
  Client, isSpecType, ReadBuffer, serializeMessage, StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'

/** What is used of the official SDK. */
export interface Sdk {
  Client: typeof Client
  StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport
  ReadBuffer: typeof ReadBuffer
  isSpecType: typeof isSpecType
  serializeMessage: typeof serializeMessage
  getDefaultEnvironment: typeof getDefaultEnvironment
  AjvJsonSchemaValidator: typeof AjvJsonSchemaValidator
}

/** The client of the SDK, which is loaded when a server is first needed. */
export async function loadSdk(): Promise<Sdk> {
  return {
    ...await import('@modelcontextprotocol/client'), ...await import('@modelcontextprotocol/client/stdio'),
    ...await import('@modelcontextprotocol/client/validators/ajv'),
  }
}
