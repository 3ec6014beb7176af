import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { whenAborted } from '../../2-processes/src/index.js'
import { connect, type Connection } from '../../2-wire/src/index.js'
import { ClientSession } from './client-session.js'
import type { Shared } from './ready-session.js'

/** How long a client may take to read what was written to it before the end. */
const FLUSH_MS = 2000

/** Serves one client by a pair of streams, to its end. @returns whether it had asked for `shutdown` */
export async function serveConnection(shared: Shared, input: Readable, output: Writable): Promise<boolean> {
  const { log, signal } = shared.options
  const leaving = new AbortController()
  const session = new ClientSession(shared, () => leaving.abort())
  const connection: Connection = connect({
    input, output, methods: session.methods,
    onProblem({ kind, message }) {
      // Of what cannot be read the client has an answer.
      if (kind === 'unhandled' || kind === 'unexpected-answer') void connection.notify('log', {
        level: 'warning', message,
      })
      else log(message)
    },
  })
  await Promise.race([connection.closed, whenAborted(AbortSignal.any([signal, leaving.signal]))])
  const wasShutDown = session.isShutDown
  await session.dispose()
  // What was done until then is still told, where somebody reads.
  await Promise.race([connection.flushed(), delay(FLUSH_MS, undefined, { ref: false })])
  connection.close()
  return wasShutDown
}
