import type { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'

/** What is used of the official SDK. */
export interface Sdk {
  agent: typeof agent
  ndJsonStream: typeof ndJsonStream
  PROTOCOL_VERSION: typeof PROTOCOL_VERSION
  RequestError: typeof RequestError
}

/** Only `hermes acp` loads it. */
export async function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk')
}
