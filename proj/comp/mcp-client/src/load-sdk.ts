import type {
  Client, isSpecType, ReadBuffer, serializeMessage, StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { HermesError, isNodeError } from '../../contracts/src/index.js'

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

const HINT = 'It is an optional package: npm install @modelcontextprotocol/client, where hermes is installed.'

/** The client of the SDK, which is loaded when a server is first needed. @throws HermesError `NOT_INSTALLED` */
export async function loadSdk(): Promise<Sdk> {
  try {
    const client = await import('@modelcontextprotocol/client')
    const stdio = await import('@modelcontextprotocol/client/stdio')
    const ajv = await import('@modelcontextprotocol/client/validators/ajv')
    return { ...client, ...stdio, ...ajv }
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HermesError(
      'NOT_INSTALLED', 'MCP servers cannot be used: @modelcontextprotocol/client is not installed',
      { hint: HINT, cause: error },
    )
  }
}
