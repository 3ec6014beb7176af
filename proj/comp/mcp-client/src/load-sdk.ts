import { HermesError, isNodeError } from '../../contracts/src/index.js'

const HINT = 'It is an optional package: npm install @modelcontextprotocol/client, where hermes is installed.'

/** The client of the official SDK, which is loaded when a server is first needed. @throws HermesError `NOT_INSTALLED` */
export async function loadSdk() {
  try {
    const [client, stdio, ajv] = await Promise.all([
      import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio'),
      import('@modelcontextprotocol/client/validators/ajv'),
    ])
    return { ...client, ...stdio, ...ajv }
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HermesError('NOT_INSTALLED', 'MCP servers cannot be used: @modelcontextprotocol/client is not installed', {
      hint: HINT, cause: error,
    })
  }
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>
