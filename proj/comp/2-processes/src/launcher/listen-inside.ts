import { spawn } from 'node:child_process'
import { Server } from 'node:net'
import { firstStop } from './first-stop.js'
import { locate, type ProgramStart } from './start.js'

/** Time for the namespaces and the listener in them to start, in milliseconds. */
const START_MS = 30_000

/** Script for Node in the namespace: listens, sends the socket to hermes, and stays until released. */
const LISTEN = [
  "const server = require('node:net').createServer()",
  "process.on('disconnect', () => process.exit())",
  "server.on('error', ({ code }) => process.send({ code }))",
  "server.listen({ host: '127.0.0.1', port: Number(process.argv[1]), backlog: 256 }, () => {",
  '  process.send({ pid: process.pid }, server, () => server.close())',
  '})',
].join('\n')

interface Told {
  message: unknown
  handle: unknown
}

/** A socket that listens in another network namespace, served by hermes. */
export interface InsideListener {
  server: Server
  /** A process in these namespaces, until `release` is called. */
  pid: number
  /** Ends that process; the socket stays open. */
  release(): Promise<void>
}

/**
 * Listens on the loopback interface of another network namespace; a socket belongs to the namespace in which it was
 * created.
 *
 * @param around program and arguments that start the following command in these namespaces, with all its descriptors
 * @throws Node's error where it cannot be started; an error with its exit status
 */
export async function listenInside(
  { program, args = [] }: Pick<ProgramStart, 'program' | 'args'>, port: number,
): Promise<InsideListener> {
  const env = {}
  const child = spawn(locate(program, { env }), [...args, process.execPath, '-e', LISTEN, String(port)], {
    cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => {
    said = `${said}${piece.toString('utf8')}`.slice(-2000)
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()))
  const failed = new Promise<Error>(resolve => child.once('error', resolve))
  const told = new Promise<Told>(resolve => {
    child.once('message', (message, handle) => resolve({ message, handle }))
  })
  const first = await firstStop<Told | Error>(gone, { timeoutMs: START_MS }, () => [told, failed])
  if (first instanceof Error) throw first
  const { message, handle } = typeof first === 'object' ? first : { message: undefined, handle: undefined }
  const pid = (message as { pid?: unknown } | undefined)?.pid
  if (!(handle instanceof Server) || typeof pid !== 'number') {
    child.kill('SIGKILL')
    const code = (message as { code?: unknown } | undefined)?.code
    const why = said.trim().split('\n').at(-1)?.slice(0, 300)
    throw new Error(why || `nothing listens in it${code === undefined ? '' : ` (${String(code)})`}`)
  }
  return {
    server: handle, pid,
    async release() {
      // Afterwards Node emits no `close`.
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
