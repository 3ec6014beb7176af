export type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** The client of the official SDK, which is loaded when a server is first needed. */
export async function loadSdk() {
  return {
    ...await import('@modelcontextprotocol/client'), ...await import('@modelcontextprotocol/client/stdio'),
    ...await import('@modelcontextprotocol/client/validators/ajv'),
  }
}
