import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { RunQueue } from '../../5-executor/src/index.js'
import { serveConnection } from './serve-connection.js'
import type { ServeOptions } from './serve-options.js'
import { cancelledBefore, Slots } from './slots.js'

/** How many verbs that only look run at once. */
export const MOST_AT_ONCE = 64

/**
 * Serves the program that started this process, until it closes its end or says `exit`.
 *
 * @returns the exit code: 0 after `shutdown`, else 1
 */
export async function serveStdio(options: ServeOptions): Promise<number> {
  const shared = { options, queue: new RunQueue(cancelledBefore), slots: new Slots(MOST_AT_ONCE) }
  const wasShutDown = await serveConnection(shared, process.stdin, standardOutput())
  return wasShutDown ? 0 : 1
}

/** Node writes to a pipe at once, and so would stand still while the other side does not read. */
function standardOutput(): Writable {
  const kind = fstatSync(1)
  if (process.platform === 'win32' || !(kind.isFIFO() || kind.isSocket())) return process.stdout
  return new Socket({ fd: 1, readable: false, writable: true })
}
