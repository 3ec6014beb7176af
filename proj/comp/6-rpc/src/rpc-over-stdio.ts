import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { serveConnection } from './serve-connection.js'
import type { ServeOptions } from './serve-options.js'
import { shared } from './shared.js'

/**
 * Serves the program that started this process, until it closes its end or says `exit`.
 *
 * @returns the exit code: 0 after `shutdown`, else 1
 */
export async function serveStdio(options: ServeOptions): Promise<number> {
  return await serveConnection(shared(options), process.stdin, standardOutput()) ? 0 : 1
}

/** Node writes to a pipe at once, and so would stand still while the other side does not read. */
function standardOutput(): Writable {
  const kind = fstatSync(1)
  if (process.platform === 'win32' || !(kind.isFIFO() || kind.isSocket())) return process.stdout
  return new Socket({ fd: 1, readable: false, writable: true })
}
