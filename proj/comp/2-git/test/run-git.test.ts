import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { findWorkTree, runGit } from '../src/index.js'

/** Without it git runs none. */
const HOOKS = ['-c', 'core.hooksPath=.git/hooks']
const base = (cwd: string) => ({ verb: 'test', cwd, signal: new AbortController().signal })

function repository(): string {
  const cwd = tempDir()
  execFileSync('git', ['init', '--quiet'], { cwd })
  return cwd
}

describe('runGit', () => {
  it('gives back what git prints, and its exit code', async () => {
    const output = await runGit(['hash-object', '--stdin'], { ...base(tempDir()), input: 'x\n' })
    expect({ ...output, stdout: output.stdout.toString() }).toEqual({
      exitCode: 0, stdout: '587be6b4c3f93f93c489c0111bba5596147a26cb\n', stderr: '', truncated: false,
    })
    expect(await runGit(['no-such-command'], base(tempDir()))).toMatchObject({
      exitCode: 1, stderr: expect.stringContaining('not a git command') as string,
    })
  })

  it('keeps to its limit of output', async () => {
    const cwd = repository()
    writeFileSync(join(cwd, 'big'), 'x'.repeat(5_000_000))
    const args = ['hash-object', '-w', 'big']
    const blob = (await runGit(args, base(cwd))).stdout.toString().trim()
    const { stdout, truncated } = await runGit(['cat-file', 'blob', blob], { ...base(cwd), maxOutputBytes: 1000 })
    expect({ stdout: stdout.toString(), truncated }).toEqual({ stdout: 'x'.repeat(1000), truncated: true })
  })

  it('is bound to no repository by the environment', async () => {
    const cwd = repository()
    const kept = process.env['GIT_DIR']
    process.env['GIT_DIR'] = join(tempDir(), 'elsewhere')
    try {
      expect(await findWorkTree(base(cwd))).toEqual({ top: cwd, gitDirectory: join(cwd, '.git') })
    } finally {
      if (kept === undefined) delete process.env['GIT_DIR']
      else process.env['GIT_DIR'] = kept
    }
  })

  it('does not start once it is cancelled', async () => {
    const signal = AbortSignal.abort()
    await expect(runGit(['version'], { ...base(tempDir()), signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it.skipIf(process.platform !== 'linux')('does not wait at a pipe that is called .gitignore', async () => {
    const cwd = repository()
    execFileSync('mkfifo', [join(cwd, '.gitignore')])
    await expect(runGit(['status', '--porcelain'], base(cwd))).rejects.toMatchObject({
      code: 'TIMEOUT', hint: expect.stringContaining('Remove the pipe') as string,
    })
  })

  it.skipIf(process.platform === 'win32')('ends with git what git has started', async () => {
    const cwd = repository()
    const hook = join(cwd, '.git/hooks/pre-commit')
    writeFileSync(hook, '#!/bin/sh\ntrap "" TERM\nsleep 2\ntouch late\n')
    chmodSync(hook, 0o755)
    const args = [...HOOKS, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'x']
    await expect(runGit(args, { ...base(cwd), timeoutMs: 300 })).rejects.toMatchObject({
      code: 'TIMEOUT', message: 'test: git took more than 0.3s (TIMEOUT)',
    })
    await sleep(2500)
    expect(existsSync(join(cwd, 'late'))).toBe(false)
    expect(existsSync(join(cwd, '.git/index.lock'))).toBe(false)
  })

  it.skipIf(process.platform === 'win32')('does not wait for what a hook leaves behind', async () => {
    const cwd = repository()
    const hook = join(cwd, '.git/hooks/post-commit')
    writeFileSync(hook, '#!/bin/sh\nsleep 60 &\necho $! > pid\n')
    chmodSync(hook, 0o755)
    const args = [...HOOKS, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'x']
    expect(await runGit(args, base(cwd))).toMatchObject({ exitCode: 0 })
    execFileSync('sh', ['-c', 'kill $(cat pid)'], { cwd })
  })
})
