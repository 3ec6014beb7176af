import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { isThere, needing } from './needs.js'

/** A redis-server of the test file's own, on a free port of loopback, with an append-only file. */
export interface TestRedis {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** At once, as a crash would. */
  kill(): Promise<void>
}

/** Tests that need Redis. */
export function describeWithRedis(name: string, tests: (redis: TestRedis) => void): void {
  needing('redis').describe(name, () => {
    const redis = testRedis()
    beforeAll(() => redis.open())
    afterAll(() => redis.close())
    tests(redis)
  })
}

function testRedis(): TestRedis & { open(): Promise<void>; close(): Promise<void> } {
  let [directory, port] = ['', 0]
  let child: ChildProcess | undefined
  const redis = {
    get port() {
      return port
    },
    get url() {
      return `redis://127.0.0.1:${port}/0`
    },
    async open() {
      if (!isThere('redis')) throw new Error('redis-server is not installed: apt-get install redis-server')
      directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-redis-')))
      port = await freePort()
      await redis.start()
    },
    async start() {
      child = spawn('redis-server', [
        '--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes', '--save', '',
      ], { stdio: 'ignore' })
      while (!await answers(port)) await sleep(20)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
    async close() {
      await redis.kill()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  return redis
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** It says PONG, or that it wants a password: then it has read its file. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('data', (data) => {
      resolve(/PONG|NOAUTH/.test(String(data)))
      socket.destroy()
    })
  })
}
