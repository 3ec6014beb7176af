import { setMaxListeners } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { untilAborted } from '../../0-contracts/src/index.js'
import { AcpAgent } from './acp-agent.js'
import type { AcpSetup } from './acp-setup.js'

export interface ServeAcpOptions {
  setup: AcpSetup
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** Ends it; what runs is cancelled and put on record. */
  signal: AbortSignal
}

/**
 * Serves one client of the Agent Client Protocol, until its end of the pipe is closed or the signal comes.
 *
 * @returns why the connection ended, where neither of both was it: a message that is too long, for one
 */
export async function serveAcp({ setup, input, output, signal }: ServeAcpOptions): Promise<Error | undefined> {
  const sdk = await import('@agentclientprotocol/sdk')
  const closed = new AbortController()
  setMaxListeners(0, closed.signal)
  const agent = new AcpAgent(sdk, setup, closed.signal)
  const stream = sdk.ndJsonStream(
    Writable.toWeb(output as Writable) as WritableStream<Uint8Array>,
    Readable.toWeb(input as Readable) as ReadableStream<Uint8Array>,
  )
  const connection = agent.app().connect(stream)
  try {
    await untilAborted(signal, () => connection.close(), async () => connection.closed)
  } finally {
    closed.abort()
    await agent.end()
  }
  const { reason } = connection.signal as { reason: unknown }
  return reason instanceof Error && reason.name === 'MessageTooLargeError' ? reason : undefined
}
