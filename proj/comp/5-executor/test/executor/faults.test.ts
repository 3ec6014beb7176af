import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, mkdirSync, openSync, closeSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { useProgram } from '../../../../test/support/program.js'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { execute, Hermes } from '../../src/executor/index.js'
import { mountOrSkip } from '../../../2-files/test/store/support/mount.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { listRuns, recover, undo } from '../../../3-transaction/src/transaction/index.js'
import { Root } from '../../../3-transaction/test/transaction/root.js'

useOwnGitIdentity()

let blocks = 0

function block(action: string, params: Record<string, string>): string {
  const id = `f${blocks++}`
  const lines = Object.entries(params).map(([name, value]) => `${name} = <<'EOT_SHAM_${id}'\n${value}\nEOT_SHAM_${id}`)
  return [`#!SHAM [@three-char-SHA-256: ${id}]`, `action = "${action}"`, ...lines, `#!END_SHAM_${id}`, ''].join('\n')
}

const write = (path: string, content: string): string => block('file_write', { path, content })

function mountSmall(context: TestContext, directory: string, size: string): void {
  mkdirSync(directory, { recursive: true })
  mountOrSkip(context, directory, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')
}

/** To the last byte, but for `left` of them. */
function fill(directory: string, left = 0): string {
  const path = join(directory, 'filler')
  const fd = openSync(path, 'w')
  try {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) writeSync(fd, Buffer.alloc(size, 'x'))
      } catch (error) {
        expect((error as { code?: string }).code).toBe('ENOSPC')
      }
    }
  } finally {
    closeSync(fd)
  }
  if (left > 0) spawnSync('truncate', ['-s', `-${left}`, path])
  return path
}

async function recovered(root: string, restore: boolean) {
  return recover({ root, gate: createPathGate({ root }), restore, git: false, waitMs: 0, signal: new AbortController().signal })
}

describe('a full disk', () => {
  it('fails the block that has no room, says which it is, and leaves every file whole', async (context) => {
    const root = join(tempDir(), 'root')
    mountSmall(context, root, '1m')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(root, name), `old ${name}`)
    const filler = fill(root, 200_000)
    const hermes = new Hermes({ root, relativePaths: true })
    const result = await hermes.execute(write('a.txt', 'new a') + write('b.txt', 'b'.repeat(300_000)) + write('c.txt', 'new c'))
    expect(result.fatalError).toBeUndefined()
    expect(result.results.map(({ success, code }) => [success, code])).toEqual([[true, undefined], [false, 'ENOSPC'], [true, undefined]])
    expect(result.results[1]?.error).toMatch(/ENOSPC/)
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('old b.txt')
    expect(readdirSync(root).sort()).toEqual(['.hermes', 'a.txt', 'b.txt', 'c.txt', 'filler'])
    rmSync(filler)
    expect(await listRuns(root)).toMatchObject([{ state: 'applied', files: ['a.txt', 'c.txt'] }])
    expect(await hermes.execute(write('b.txt', 'new b'))).toMatchObject({ success: true })
  })

  it('to the last byte stops the run before it changes anything', async (context) => {
    const root = join(tempDir(), 'root')
    mountSmall(context, root, '1m')
    writeFileSync(join(root, 'a.txt'), 'old')
    const filler = fill(root)
    const result = await execute(write('a.txt', 'new') + write('b.txt', 'new'), { root, relativePaths: true })
    expect(result.success).toBe(false)
    expect(result.results[0]).toMatchObject({ success: false, code: 'ENOSPC', error: expect.stringContaining('ENOSPC') })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
    expect(readdirSync(root).filter((name) => name !== '.hermes').sort()).toEqual(['a.txt', 'filler'])
    rmSync(filler)
    expect(await execute(write('a.txt', 'new'), { root, relativePaths: true })).toMatchObject({ success: true })
    expect(readFileSync(join(root, '.hermes/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('while git commits leaves the files, says so, and recovers', async (context) => {
    const root = join(tempDir(), 'root')
    mountSmall(context, root, '2m')
    const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout
    git('init', '--quiet', '--initial-branch=main')
    writeFileSync(join(root, 'a.txt'), 'old\n')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'start')
    for (const left of [0, 4096, 12_288, 40_960, 65_536]) {
      const hermes = new Hermes({ root, relativePaths: true, onEvent: (event) => {
        // The disk is full when all is written.
        if (event.type === 'block-end') fill(root, left)
      } })
      const result = await hermes.execute(write('a.txt', `new ${left}`))
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(`new ${left}`)
      expect(result.gitCommit !== undefined || result.fatalError !== undefined).toBe(true)
      if (result.gitCommit === undefined) expect(result.fatalError).toMatch(/No space left|ENOSPC|not committed|could not be closed/)
      rmSync(join(root, 'filler'))
      expect((await recovered(root, false)).left).toEqual([])
      expect(readdirSync(join(root, '.git')).filter((name) => /lock|hermes/.test(name))).toEqual([])
      expect(await execute(write('a.txt', `next ${left}`), { root, relativePaths: true })).toMatchObject({ success: true, gitCommit: expect.any(String) })
      expect(git('fsck', '--strict', '--no-dangling')).toBe('')
      expect(git('status', '--porcelain')).toBe('')
    }
  })

  it('in the middle of an undo leaves every file whole, and the undo can be gone on with', async (context) => {
    const root = join(tempDir(), 'root')
    mountSmall(context, root, '1m')
    const names = ['a.txt', 'b.txt', 'c.txt']
    for (const name of names) writeFileSync(join(root, name), `old ${name}\n`.repeat(3000))
    expect(await execute(names.map((name) => write(name, 'new')).join(''), { root, relativePaths: true })).toMatchObject({ success: true })
    const filler = fill(root, 90_000)
    const takeBack = () => undo({
      root, gate: createPathGate({ root }), runId: `undo-${Date.now()}`, force: false, git: false, durable: false, waitMs: 0, signal: new AbortController().signal,
    })
    const { left } = await takeBack()
    expect(left.length).toBeGreaterThan(0)
    for (const { reason } of left) expect(reason).toMatch(/ENOSPC/)
    for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toBe(left.some(({ path }) => path === name) ? 'new' : `old ${name}\n`.repeat(3000))
    rmSync(filler)
    await recovered(root, false)
    expect((await takeBack()).left).toEqual([])
    for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toBe(`old ${name}\n`.repeat(3000))
  })

  it('of the journal alone loses nothing, however little is left', async (context) => {
    for (const left of [0, 1, 4096, 8192, 12_288, 16_384, 20_480, 40_960]) await journalFull(context, left)
  })

  /** `.hermes` is a small disk of its own. */
  async function journalFull(context: TestContext, left: number): Promise<void> {
    const root = tempDir()
    mountSmall(context, join(root, '.hermes'), '128k')
    const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
    for (const name of names) writeFileSync(join(root, name), `old ${name}\n`.repeat(300))
    const filler = fill(join(root, '.hermes'), left)
    const result = await execute(names.map((name) => write(name, `new ${name}`)).join(''), { root, relativePaths: true })
    expect(result.success).toBe(false)
    for (const { success, code, params } of result.results) {
      const content = readFileSync(join(root, String(params['path'])), 'utf8')
      expect(content.startsWith(success ? 'new' : 'old')).toBe(true)
      if (!success) expect(['ENOSPC', 'CANCELLED']).toContain(code)
    }
    const isEnded = result.fatalError === undefined || !result.fatalError.includes('hermes recover')
    rmSync(filler)
    const outcome = await recovered(root, true)
    if (isEnded) expect(outcome).toMatchObject({ restored: false })
    expect(outcome.left).toEqual([])
    if (outcome.restored) for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toMatch(/^old/)
    expect(await execute(write('0.txt', 'next'), { root, relativePaths: true })).toMatchObject({ success: true })
  }
})

const asUser = useProgram(new URL('run-as-child.ts', import.meta.url))
const fewFiles = useProgram(new URL('run-writes.ts', import.meta.url), { inOne: true })

async function runChild(
  command: string[], input: object, identity: { uid?: number; gid?: number } = {},
): Promise<ExecutionResult> {
  const [file = '', ...args] = command
  const HOME = tempDir()
  if (identity.uid !== undefined) lchownSync(HOME, identity.uid, identity.gid ?? identity.uid)
  const child = spawn(file, args, { cwd: '/', env: { ...plainEnvironment(), HOME }, stdio: 'pipe', ...identity })
  child.stdin.end(JSON.stringify(input))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ExecutionResult
}

describe.skipIf(process.platform === 'win32')('without the right to write', () => {
  const isRoot = process.geteuid?.() === 0
  const identity = isRoot ? { uid: 65534, gid: 65534 } : {}

  function userRoot(): string {
    const root = tempDir()
    mkdirSync(join(root, 'locked'))
    for (const name of ['a.txt', 'locked/b.txt']) writeFileSync(join(root, name), 'old')
    for (const name of ['', 'a.txt', 'locked', 'locked/b.txt']) if (isRoot) lchownSync(join(root, name), 65534, 65534)
    return root
  }

  it('in one directory only its block fails', async () => {
    const root = userRoot()
    chmodSync(join(root, 'locked'), 0o555)
    onTestFinished(() => chmodSync(join(root, 'locked'), 0o755))
    const answer = write('a.txt', 'new') + write('locked/b.txt', 'new') + write('c.txt', 'new')
    const result = await runChild([process.execPath, asUser.path], { answer, options: { root, relativePaths: true } }, identity)
    expect(result.results.map(({ success, code }) => [success, code])).toEqual([[true, undefined], [false, 'EACCES'], [true, undefined]])
    expect(result.results[1]?.error).toContain('locked/b.txt')
    expect(readFileSync(join(root, 'locked/b.txt'), 'utf8')).toBe('old')
    expect(await listRuns(root)).toMatchObject([{ files: ['a.txt', 'c.txt'], failures: 1 }])
  })

  it('in the root itself nothing runs, and the reason is told', async () => {
    const root = userRoot()
    chmodSync(root, 0o555)
    onTestFinished(() => chmodSync(root, 0o755))
    const result = await runChild([process.execPath, asUser.path], { answer: write('a.txt', 'new') + write('c.txt', ''), options: { root, relativePaths: true } }, identity)
    expect(result.results.map(({ code }) => code)).toEqual(['EACCES', 'CANCELLED'])
    expect(result.fatalError).toMatch(/EACCES: permission denied.*\.hermes/)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
  })
})

describe('with few file descriptors', () => {
  it.skipIf(process.platform === 'win32').each([0, 1, 2, 3, 4, 5, 6, 8])('(%i) every file is old or new, and the next run works', async (left) => {
    const root = tempDir()
    const names = ['a.txt', 'b.txt', 'c.txt']
    for (const name of names) writeFileSync(join(root, name), 'old')
    const result = await runChild(['/bin/sh', '-c', 'ulimit -n 128; exec "$@"', 'sh', process.execPath, fewFiles.path], {
      answer: names.map((name) => write(name, 'new')).join(''), options: { root, relativePaths: true, gitCommit: false }, left,
    })
    for (const { success, code, error, params } of result.results) {
      expect(readFileSync(join(root, String(params['path'])), 'utf8')).toBe(success ? 'new' : 'old')
      if (!success) expect([code, error ?? '']).toEqual([expect.stringMatching(/EMFILE|CANCELLED|INTERNAL/), expect.any(String)])
    }
    expect((await recovered(root, true)).left).toEqual([])
    expect(await execute(write('a.txt', 'next'), { root, relativePaths: true })).toMatchObject({ success: true })
  })
})

it('a file that is removed between the plan and the write is made again', async () => {
  const root = new Root()
  root.put({ 'a.txt': 'old', 'b.txt': 'old' })
  const hermes = new Hermes({ root: root.directory, relativePaths: true, onEvent: (event) => {
    if (event.type === 'block-start') rmSync(join(root.directory, 'a.txt'), { force: true })
  } })
  const { results } = await hermes.execute(write('a.txt', 'new') + block('file_append', { path: 'a.txt', content: 'more' }))
  expect(results.map(({ success }) => success)).toEqual([true, true])
  await root.undo()
  expect(existsSync(join(root.directory, 'a.txt'))).toBe(false)
  expect(statSync(join(root.directory, 'b.txt')).size).toBe(3)
})
