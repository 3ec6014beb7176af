import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll } from 'vitest'

/** The command as it is built: `npm test` builds first. */
export const CLI = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url))
export const TOKEN = 'a-token-for-tests-0123456789'

/** No settings of whoever runs the tests. */
export function environment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '', HOME: home, HERMES_MCP_TOKEN: TOKEN, NO_COLOR: '1',
    GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com',
  }
}

/** For a whole file: several tests share a server. */
export function sharedDir(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-mcp-')))
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  mkdirSync(join(directory, 'home'))
  mkdirSync(join(directory, 'root', 'sub'), { recursive: true })
  return directory
}

export interface HttpServer {
  url: string
  child: ChildProcess
}

/** `hermes mcp --http`, once it listens. */
export async function startHttp(directory: string, args: readonly string[]): Promise<HttpServer> {
  const child = spawn(process.execPath, [CLI, 'mcp', '--http', '127.0.0.1:0', ...args], {
    cwd: join(directory, 'root'), env: environment(join(directory, 'home')), stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /listening at (\S+)$/.exec(line) ?? []
    if (url !== undefined) return { url, child }
  }
  throw new Error('hermes mcp did not start')
}

export interface Peer {
  client: Client
  /** What it answers; changed by tests. */
  roots: string[]
  answer: (params: { message: string }) => ElicitResult
  /** What it was asked. */
  asked: string[]
  close(): Promise<void>
}

export interface PeerOptions {
  era: 'legacy' | 'modern'
  canAsk?: boolean
  hasRoots?: boolean
}

/** The SDK's own client. */
export async function connect(where: { directory: string; args: readonly string[] } | HttpServer, { era, canAsk = true, hasRoots = true }: PeerOptions): Promise<Peer> {
  const client = new Client({ name: 'test', version: '1.0.0' }, {
    versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    capabilities: { ...(canAsk && { elicitation: {} }), ...(hasRoots && { roots: { listChanged: true } }) },
  })
  const peer: Peer = {
    client, roots: [], asked: [], answer: () => ({ action: 'decline' }),
    close: () => client.close(),
  }
  if (canAsk) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      peer.asked.push(params.message)
      return peer.answer(params)
    })
  }
  if (hasRoots) client.setRequestHandler('roots/list', () => ({ roots: peer.roots.map((path) => ({ uri: pathToFileURL(path).href })) }))
  await client.connect('url' in where
    ? new StreamableHTTPClientTransport(new URL(where.url), { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } })
    : new StdioClientTransport({
      command: process.execPath, args: [CLI, 'mcp', ...where.args], cwd: join(where.directory, 'root'), stderr: 'ignore',
      env: environment(join(where.directory, 'home')),
    }))
  return peer
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
