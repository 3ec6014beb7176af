import { linkSync, lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { HermesError, isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { RunQueue } from '../../5-executor/src/index.js'
import { serveConnection } from './serve-connection.js'
import type { ServeOptions } from './serve-options.js'
import { requireOutOfReach } from './out-of-reach.js'
import { MOST_AT_ONCE } from './rpc-over-stdio.js'
import { cancelledBefore, Slots } from './slots.js'

/**
 * Serves every client that connects to a Unix socket (on Windows a named pipe), until the signal is aborted. The socket
 * can be used by its owner only; one that was left behind is replaced, one at which somebody listens is not.
 *
 * @param onListening called when clients can connect
 * @throws HermesError `EADDRINUSE`, `EEXIST`, `INVALID_OPTION` for a path that is too long, `POLICY_DENIED` for one
 *   where commands work, and what else there is against the path
 */
export async function servePipe(path: string, options: ServeOptions, onListening: () => void): Promise<void> {
  const shared = { options, queue: new RunQueue(cancelledBefore), slots: new Slots(MOST_AT_ONCE) }
  const serving = new Set<Promise<unknown>>()
  const server = createServer((socket) => {
    socket.on('error', (error) => options.log(`A client was lost: ${error.message}`))
    const served = serveConnection(shared, socket, socket).catch((error: unknown) => options.log(String(error)))
    serving.add(served)
    void served.finally(() => serving.delete(served))
  })
  if (process.platform !== 'win32') {
    requireShort(path)
    requireOutOfReach('socket', path)
    await removeStale(path)
  }
  await listen(server, path)
  const own = orNothing(() => lstatSync(path), undefined)
  onListening()
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve()
    options.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const closed = close(server, path, own)
  await Promise.allSettled(serving)
  await closed
}

/** Its mode is right from its first moment: it is made with the mask of this process. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(path, error)))
    const mask = process.umask(0o177)
    try {
      server.listen(path, resolve)
    } finally {
      process.umask(mask)
    }
  })
}

/** Closing removes what is at the path of the socket, which may be another's by now: that is put aside meanwhile. */
function close(server: Server, path: string, own: Stats | undefined): Promise<void> {
  const found = own && orNothing(() => lstatSync(path), undefined)
  const isOther = found !== undefined && !(found.dev === own?.dev && found.ino === own.ino)
  const aside = `${path}.${process.pid}`
  const isAside = isOther && orNothing(() => { linkSync(path, aside); return true }, false)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if (isAside) orNothing(() => renameSync(aside, path), undefined)
  return closed
}

/** The system would cut a longer one, and listen at another path. */
function requireShort(path: string): void {
  const most = process.platform === 'linux' ? 107 : 103
  const bytes = Buffer.byteLength(path)
  if (bytes <= most) return
  throw new HermesError(
    'INVALID_OPTION', `The path of a socket has at most ${most} bytes, this one ${bytes}: ${path}`,
    { hint: 'Name a shorter one; it may be relative to the working directory.' },
  )
}

async function removeStale(path: string): Promise<void> {
  const found = orNothing(() => lstatSync(path), undefined)
  if (!found) return
  if (!found.isSocket()) {
    throw new HermesError('EEXIST', `${path} is there, and is no socket`, { hint: 'Name a path at which nothing is.' })
  }
  if (await isAnswered(path)) throw inUse(path)
  // Another server may take the place meanwhile: only what is looked at again is removed.
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
    // A queue that is full, or a socket of somebody else, is one at which somebody listens.
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
