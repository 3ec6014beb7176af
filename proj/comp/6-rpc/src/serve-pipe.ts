import { linkSync, lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { usageError } from '../../0-text/src/index.js'
import { HermesError, isNodeError, orNothing, tracked } from '../../0-contracts/src/index.js'
import { whenAborted } from '../../2-processes/src/index.js'
import { serveConnection } from './serve-connection.js'
import type { ServeOptions } from './serve-options.js'
import { requireOutOfReach } from './out-of-reach.js'
import { shared } from './shared.js'

/**
 * Serves every client that connects to a Unix socket (on Windows a named pipe), until the signal is aborted. Only the
 * owner can use the socket; a stale one is replaced, one that is in use is not.
 *
 * @param onListening called when clients can connect
 * @throws HermesError `EADDRINUSE`, `EEXIST`, `INVALID_OPTION` for a path that is too long, `POLICY_DENIED` for one
 * where commands work, and other errors of the path
 */
export async function servePipe(path: string, options: ServeOptions, onListening: () => void): Promise<void> {
  const common = shared(options)
  const serving = new Set<Promise<unknown>>()
  const server = createServer((socket) => {
    socket.on('error', (error) => options.log(`A client was lost: ${error.message}`))
    const served = serveConnection(common, socket, socket)
    void tracked(serving, served.catch((error: unknown) => options.log(String(error))))
  })
  if (process.platform !== 'win32') {
    requireShort(path)
    requireOutOfReach('socket', path)
    await removeStale(path)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(path, error)))
    // So that the socket has the right mode from the start.
    const mask = process.umask(0o177)
    try {
      server.listen(path, resolve)
    } finally {
      process.umask(mask)
    }
  })
  const own = orNothing(() => lstatSync(path), undefined)
  onListening()
  await whenAborted(options.signal)
  const closed = close(server, path, own)
  await Promise.allSettled(serving)
  await closed
}

/**
 * Closes the server. Closing removes whatever is at the socket's path, which may be another server's by now: that is
 * moved aside meanwhile.
 */
function close(server: Server, path: string, own: Stats | undefined): Promise<void> {
  const stats = own && orNothing(() => lstatSync(path), undefined)
  const isOther = stats !== undefined && !(stats.dev === own?.dev && stats.ino === own.ino)
  const aside = `${path}.${process.pid}`
  const isAside = isOther && orNothing(() => { linkSync(path, aside); return true }, false)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if (isAside) orNothing(() => renameSync(aside, path), undefined)
  return closed
}

/** Rejects a path that the system would truncate, listening elsewhere. */
function requireShort(path: string): void {
  const most = process.platform === 'linux' ? 107 : 103
  const bytes = Buffer.byteLength(path)
  if (bytes <= most) return
  throw usageError(
    `The path of a socket has at most ${most} bytes, this one ${bytes}: ${path}`,
    'Name a shorter one; it may be relative to the working directory.',
  )
}

async function removeStale(path: string): Promise<void> {
  const stats = orNothing(() => lstatSync(path), undefined)
  if (!stats) return
  if (!stats.isSocket()) {
    throw new HermesError('EEXIST', `${path} is there, and is no socket`, { hint: 'Name a path at which nothing is.' })
  }
  if (await isAnswered(path)) throw inUse(path)
  // Another server may take its place meanwhile: check again after moving it aside.
  const aside = `${path}.${process.pid}`
  orNothing(() => renameSync(path, aside), undefined)
  if (await isAnswered(aside)) {
    orNothing(() => linkSync(aside, path), undefined)
    orNothing(() => unlinkSync(aside), undefined)
    throw inUse(path)
  }
  orNothing(() => unlinkSync(aside), undefined)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (isAlive: boolean): void => {
      socket.destroy()
      resolve(isAlive)
    }
    socket.once('connect', () => end(true))
    // If the queue is full, or the socket is another user's, somebody is listening.
    socket.once('error', (error) => end(isNodeError(error) && !['ECONNREFUSED', 'ENOENT'].includes(error.code)))
  })
}

function inUse(path: string): HermesError {
  return new HermesError('EADDRINUSE', `Another server listens at ${path}`, { hint: 'Use that one, or name '
    + 'another path.' })
}

function cannotListen(path: string, error: Error): Error {
  if (!isNodeError(error)) return error
  if (error.code === 'EADDRINUSE') return inUse(path)
  return new HermesError(error.code, `Cannot listen at ${path} (${error.code})`, {
    hint: 'Name a path in a directory of yours that exists.',
    cause: error,
  })
}
