/** A redis-server of one's own on a free port of loopback, with an append-only file in a directory of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0
}

/**
 * @returns {Promise<{ url: string, has(key: string): Promise<boolean>, kill(): Promise<void>, start(): Promise<void>,
 *   stop(): Promise<void> }>}
 */
export async function redisServer(...more) {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-redis-'))
  const port = await freePort()
  let child
  const server = {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    async start() {
      child = spawn('redis-server', [
        '--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--save', '', ...more,
      ], { stdio: 'ignore' })
      // PONG, or that it wants a password: then it has read its file.
      while (!/PONG|NOAUTH/.test(await ask(port, 'PING'))) await sleep(20)
    },
    async has(key) {
      return await ask(port, `EXISTS ${key}`) === ':1\r\n'
    },
    /** At once, as a crash would. */
    async kill() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await server.kill()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  await server.start()
  return server
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What the server says to one command, without a password; nothing where it is away. */
function ask(port, command) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('error', () => resolve(''))
    socket.once('data', (data) => {
      socket.destroy()
      resolve(String(data))
    })
  })
}
