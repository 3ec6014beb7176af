/** The official SDK. */
export type Sdk = typeof import('@modelcontextprotocol/server') & typeof import('@modelcontextprotocol/server/stdio')

/** Only those who serve load it. */
export async function loadSdk(): Promise<Sdk> {
  return { ...await import('@modelcontextprotocol/server'), ...await import('@modelcontextprotocol/server/stdio') }
}
