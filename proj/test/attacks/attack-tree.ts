import { execFileSync } from 'node:child_process'
import {
  chmodSync, linkSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync,
  symlinkSync, truncateSync, writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { tempDir } from '../support/temp-dir.js'

/** In every file that no result may show; files that may be shown say `inside`. */
export const MARK = 'TOP-SECRET'

/** Below the directory that holds the root. */
const SECRETS = [
  'outside/secret.txt', 'outside/dir/secret.txt', 'outside/hooks/pre-commit', 'root-evil/secret.txt',
  'root/.git/config', 'root/.git/hooks/post-merge', 'root/.ssh/id_rsa', 'root/.hermes/kept.txt', 'root/hermes.yaml',
  'root/.env', 'root/.env.production', 'root/config/prod.env', 'root/certs/server.key', 'root/certs/server.pem',
  'root/certs/id_ed25519', 'root/.netrc', 'root/.aws/credentials', 'root/nested/.git/config',
]
/** No verb may change them either. */
const SETTINGS = ['root/.vscode/tasks.json', 'root/.cursor/mcp.json', 'root/.husky/pre-push', 'root/.npmrc']
const PLAIN = [
  'root/file.txt', 'root/dir/inner.txt', 'root/.env.example', 'root/config/app.json', 'root/nested/a.txt',
  'root/nested2/a.txt', 'root/with-link/a.txt', 'root/ignoring/a.txt',
]
const LINKS: Record<string, string> = {
  'out-file': '{outside}/secret.txt', 'out-relative': '../outside/secret.txt', 'out-dir': '{outside}',
  'with-link/out': '{outside}', 'dir/up': '../../outside', 'out-dangling': '{outside}/new.txt', 'chain-1': 'chain-2',
  'chain-2': 'out-dir/secret.txt', 'chain-dangling': 'out-dangling', 'deep-link': 'dir', loop: 'loop', 'loop-1': 'loop-2',
  'loop-2': 'loop-1', 'to-system': '/', 'to-passwd': '/etc/passwd', 'to-git': '.git', 'to-env': '.env',
  'to-vscode': '.vscode', 'to-hermes': '.hermes', 'to-proc-root': '/proc/self/root', 'to-pipe': 'pipe', 'to-zero': '/dev/zero',
  '../outside/back': '{root}',
}
const LONG_CHAIN = 60

export interface AttackTree {
  root: string
  /** Fills the placeholders of a case. */
  fill: (text: string) => string
  /** All that must not change: what is outside, and what is protected inside. */
  guarded: () => unknown
}

/** `{x*3}` stands for `xxx`. */
const REPEATED = /\{([^{}*]+)\*(\d+)\}/g

/**
 * A root with every kind of bait in it, and what is beside it.
 *
 * @param attempt what will be tried, as text: the chain of links is planted where that names a link of it
 */
export async function plantAttackTree(attempt: string): Promise<AttackTree> {
  const base = tempDir()
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  const fill = (text: string): string => text
    .replaceAll('{root}', root).replaceAll('{outside}', outside).replaceAll('{base}', base)
    .replace(REPEATED, (_all, part: string, count: string) => part.repeat(Number(count)))
  for (const [names, content] of [[SECRETS, `KEY=${MARK}\n`], [SETTINGS, 'inside\n'], [PLAIN, 'inside\n']] as const) {
    for (const name of names) {
      outputFileSync(join(base, name), content)
    }
  }
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(fill(target), join(root, name))
  for (let at = 0; attempt.includes('long-') && at < LONG_CHAIN; at++) symlinkSync(at + 1 < LONG_CHAIN ? `long-${at + 1}` : outside, join(root, `long-${at}`))
  writeFileSync(join(outside, 'linked'), 'linked\n')
  linkSync(join(outside, 'linked'), join(root, 'hard'))
  writeFileSync(join(root, 'sparse'), '')
  truncateSync(join(root, 'sparse'), 1e12)
  for (const path of [join(root, 'pipe'), join(root, 'ignoring', '.gitignore')]) renameSync(takePipe(), path)
  await plantSocket(join(root, 'socket'))
  chmodSync(join(outside, 'dir'), 0o755)
  return { root, fill, guarded: () => [shown(outside), shown(join(base, 'root-evil')), ...[...SECRETS, ...SETTINGS].map((name) => look(join(base, name)))] }
}

/** Made many at a time: starting a program for each would take longer than all else of a tree. */
const PIPES = 200
const pipes: string[] = []
let pipeDirectory: string | undefined

beforeAll(() => {
  pipeDirectory = mkdtempSync(join(tmpdir(), 'hermes-pipes-'))
})
afterAll(() => {
  if (pipeDirectory !== undefined) rmSync(pipeDirectory, { recursive: true })
})

function takePipe(): string {
  if (pipes.length === 0) {
    pipes.push(...Array.from({ length: PIPES }, (_, at) => join(pipeDirectory ?? '', String(at))))
    execFileSync('mkfifo', pipes)
  }
  const pipe = pipes.pop()
  if (pipe === undefined) throw new Error('no pipe')
  return pipe
}

async function plantSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(path, done))
  onTestFinished(() => void server.close())
}

function shown(directory: string): unknown {
  return readdirSync(directory).sort().map((name) => {
    const path = join(directory, name)
    return lstatSync(path).isDirectory() ? [name, look(path), shown(path)] : [name, look(path)]
  })
}

function look(path: string): unknown {
  const stats = lstatSync(path)
  const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, 'latin1') : ''
  return [path, stats.mode, stats.ino, stats.mtimeMs, content]
}
