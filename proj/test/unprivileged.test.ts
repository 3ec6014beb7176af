import { spawn } from 'node:child_process'
import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { expectAccounts } from '../comp/5-executor/test/executor/accounts.js'
import { bodies, type Expectation, expectMatch } from '../comp/5-executor/test/executor/run-goldens.js'
import { expectedTree, foundTree, plantTree, type Tree } from '../comp/5-executor/test/executor/trees.js'
import type { ExecutionResult } from '../src/index.js'
import { useProgram } from './support/program.js'
import { plainEnvironment } from './support/cli.js'
import { type GoldenCase, readGoldens } from './support/goldens.js'
import { tempDir } from './support/temp-dir.js'

const cases = readGoldens(new URL('../comp/5-executor/test-data/executor/unprivileged.md', import.meta.url))
const program = new URL('../comp/5-executor/test/executor/run-as-child.ts', import.meta.url)

/** `nobody`. Root may do anything, so that as root the answers are run by this user; others run them themselves. */
const USER = 65534
/** Directories of one's own in PATH may be closed to this user. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin`
const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')('as an unprivileged user', () => {
  const child = useProgram(program)

  for (const golden of cases) {
    it(`${golden.group}: ${golden.name}`, () => runCase(golden, child.path))
  }
})

async function runCase(golden: GoldenCase, child: string): Promise<void> {
  const root = join(tempDir(), 'project')
  const before = bodies<Tree>(golden, 'before', root)[0] ?? {}
  plantTree(root, before)
  const unlock = lock(root, golden)
  const answer = golden.fences.find(({ info }) => info.endsWith(' answer'))?.body.replaceAll('<root>', root)
  const result = await runAsUser(child, { answer, options: { root, rootAliases: ['/workspace'], sandbox: 'none' } }).finally(unlock)
  expectAccounts(result)
  expectMatch(result, bodies<Expectation>(golden, 'expected', root)[0] ?? {}, golden.name)
  expect(foundTree(root)).toEqual(expectedTree(bodies<Tree>(golden, 'after', root)[0] ?? before))
}

/** Gives the tree to the user, but what the case names; returns how to make all of it readable again. */
function lock(root: string, golden: GoldenCase): () => void {
  const locked = (bodies<string[]>(golden, 'locked')[0] ?? []).map((path) => join(root, path))
  const secret = (bodies<string[]>(golden, 'secret')[0] ?? []).map((path) => join(root, path))
  chmodSync(dirname(root), 0o755)
  const all = [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path))]
  if (isRoot) for (const path of all) if (![...locked, ...secret].includes(path)) lchownSync(path, USER, USER)
  // Innermost first: what a secret directory holds cannot be reached afterwards.
  const modes = [...locked, ...secret].toReversed().map((path) => ({ path, mode: statSync(path).mode }))
  for (const { path } of modes) chmodSync(path, modeOf(path, secret.includes(path)))
  return () => modes.toReversed().forEach(({ path, mode }) => chmodSync(path, mode))
}

/** For another user a file of root's is read-only as it is; for its owner it must say so. */
function modeOf(path: string, secret: boolean): number {
  const isDirectory = statSync(path).isDirectory()
  if (secret) return isRoot ? (isDirectory ? 0o700 : 0o600) : 0o000
  if (isRoot) return isDirectory ? 0o755 : 0o644
  return isDirectory ? 0o555 : 0o444
}

async function runAsUser(path: string, input: object): Promise<ExecutionResult> {
  const identity = isRoot ? { uid: USER, gid: USER } : {}
  const HOME = tempDir()
  if (isRoot) lchownSync(HOME, USER, USER)
  const running = spawn(process.execPath, [path], { cwd: '/', env: { ...plainEnvironment(), HOME, PATH }, stdio: 'pipe', ...identity })
  running.stdin.end(JSON.stringify(input))
  const [stdout, stderr] = await Promise.all([text(running.stdout), text(running.stderr)])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ExecutionResult
}
