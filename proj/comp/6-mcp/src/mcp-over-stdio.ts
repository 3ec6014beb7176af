import { once } from 'node:events'
import { whenAborted } from '../../2-processes/src/index.js'
import { createServer, type ServerParts } from './create-server.js'

/** Longest message, in bytes. */
const MAX_MESSAGE = 64 * 2 ** 20

/** Serves one client over standard input and output, until its end of the pipe is closed or the signal comes. */
export async function serveOverStdio(
  parts: ServerParts, signal: AbortSignal, onerror: (error: Error) => void,
): Promise<void> {
  const { sdk, connection } = parts
  const transport = new sdk.StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE })
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), whenAborted(signal)])
  const handle = sdk.serveStdio(({ era }) => createServer(parts, era, true), { transport, onerror })
  await ended
  await handle.close()
  await connection.close()
}
