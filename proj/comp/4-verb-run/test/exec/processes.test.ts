import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { failExec, markProcesses, NEEDS, runExec } from './run-exec.js'

describe('time limit', () => {
  it('says so with what was printed', async () => {
    const living = markProcesses()
    const failure = await failExec({ lang: 'bash', code: 'echo so far; echo oops >&2; sleep 60', timeout: 200 })
    expect(failure).toMatchObject({
      code: 'TIMEOUT',
      message: 'exec: Process timeout after 0.2s (TIMEOUT)',
      data: { stdout: 'so far\n', stderr: 'oops\n' },
    })
    expect(failure.data).toMatchObject({ exit_code: 124 })
    expect(failure.hint).toContain('timeout (milliseconds) above 200')
    expect(living()).toEqual([])
  })

  it.each([undefined, 100, 60_000])('is the user\'s at most (timeout: %j)', async timeout => {
    const limits = { commandTimeoutMs: 100, maxCommandTimeoutMs: 100 }
    const failure = await failExec({ lang: 'bash', code: 'sleep 60', timeout }, { limits })
    expect(failure.message).toBe('exec: Process timeout after 0.1s (TIMEOUT)')
    expect(failure.hint).toContain('The limit of 0.1 s applies, whatever timeout says: only the user can raise it')
  })

  it('may be longer than what holds without one', async () => {
    const limits = { commandTimeoutMs: 100, maxCommandTimeoutMs: 10_000 }
    const code = 'sleep 0.3; echo ok'
    expect(await failExec({ lang: 'bash', code }, { limits })).toMatchObject({
      code: 'TIMEOUT', hint: expect.stringMatching(/set timeout \(milliseconds\) above 100, at most 10000\.$/) as string,
    })
    expect(await runExec({ lang: 'bash', code, timeout: 5_000 }, { limits })).toMatchObject({ stdout: 'ok\n' })
  })

  it('names both limits where a longer timeout helps', async () => {
    const { hint } = await failExec({ lang: 'bash', code: 'sleep 60', timeout: 100 })
    expect(hint).toMatch(/Do less in one call, or set timeout \(milliseconds\) above 100, at most 20000\.$/)
  })

  it('may be longer than a timer can be', async () => {
    const limits = { maxCommandTimeoutMs: 2 ** 40 }
    expect(await runExec({ lang: 'bash', code: 'echo ok', timeout: 2 ** 40 }, { limits }))
      .toMatchObject({ stdout: 'ok\n' })
  })

  it('lets programs end cleanly', async () => {
    const failure = await failExec({
      lang: 'bash', code: 'trap "echo cleaned up; exit" TERM; while :; do sleep 0.01; done', timeout: 300,
    })
    expect(failure.data?.stdout).toBe('cleaned up\n')
  })

  for (const mode of ['none', 'auto', 'unshare'] as const) {
    needing(...NEEDS[mode]).it.each([
      ['children and orphaned grandchildren', '(sleep 60 & sleep 60 &) ; sleep 60'],
      ['what ignores SIGTERM', 'trap "" TERM; sleep 60 & while :; do sleep 1; done'],
      ['a stopped program', 'kill -STOP $$'],
      ['a pipeline', 'yes | sleep 60'],
    ])(`kills %s, sandbox ${mode}`, async (_, code) => {
      const living = markProcesses()
      expect(await failExec({ lang: 'bash', code, timeout: 300 }, { mode })).toMatchObject({ code: 'TIMEOUT' })
      expect(living()).toEqual([])
    })
  }
})

describe('background processes', () => {
  for (const [mode, sandbox] of [['none', 'none'], ['auto', 'bwrap'], ['unshare', 'unshare']] as const) {
    needing(...NEEDS[mode]).it.each([
      ['that hold the pipes', 'sleep 60 & echo done'],
      ['that hold the pipes and ignore SIGTERM', '(trap "" TERM; touch begun; sleep 60; sleep 60) & '
        + 'until [ -e begun ]; do sleep 0.01; done; echo done'],
      ['with their own output', 'sleep 60 >/dev/null 2>&1 & echo done'],
    ])(`%s neither hang nor outlive the run, sandbox ${mode}`, async (_, code) => {
      const living = markProcesses()
      expect(await runExec({ lang: 'bash', code }, { mode }))
        .toEqual({ stdout: 'done\n', stderr: '', sandbox, exit_code: 0 })
      expect(living()).toEqual([])
    })
  }

  it('may finish their output shortly after', async () => {
    expect(await runExec({ lang: 'bash', code: '(sleep 0.1; echo late) & echo early' }))
      .toMatchObject({ stdout: 'early\nlate\n' })
  })
})

describe('cancelling', () => {
  it('kills the tree and keeps what was printed', async () => {
    const living = markProcesses()
    const controller = new AbortController()
    const root = tempDir()
    const run = failExec({ lang: 'bash', code: 'echo begun; touch begun; sleep 60 & wait' }, {
      root, signal: controller.signal,
    })
    while (!existsSync(join(root, 'begun'))) await sleep(5)
    controller.abort()
    expect(await run).toMatchObject({
      code: 'CANCELLED', message: 'exec: cancelled (CANCELLED)', data: { stdout: 'begun\n', stderr: '' },
    })
    expect(living()).toEqual([])
  })

  it.each([{}, { version: '5' }])('starts nothing when it came before (%j)', async extra => {
    const root = tempDir()
    expect(await failExec({ lang: 'bash', code: 'touch begun', ...extra }, { root, signal: AbortSignal.abort() }))
      .toMatchObject({ code: 'CANCELLED' })
    expect(execFileSync('ls', [root], { encoding: 'utf8' })).toBe('')
  })
})

describe('exit', () => {
  it('reports the exit code', async () => {
    expect(await failExec({ lang: 'bash', code: 'echo out; echo "no such thing" >&2; exit 3' })).toEqual({
      code: 'NONZERO_EXIT',
      message: 'exec: bash exited with code 3',
      hint: 'stderr says: no such thing',
      data: { stdout: 'out\n', stderr: 'no such thing\n', sandbox: 'none', exit_code: 3 },
    })
  })

  it('reports a signal as 128 + n', async () => {
    expect(await failExec({ lang: 'bash', code: 'kill -KILL $$' })).toMatchObject({
      code: 'NONZERO_EXIT', message: 'exec: bash was killed by SIGKILL (exit code 137)', data: { exit_code: 137 },
    })
  })

  needing('bubblewrap').it('reports a signal in the sandbox as 128 + n', async () => {
    expect(await failExec({ lang: 'bash', code: 'kill -KILL $$' }, { mode: 'auto' })).toMatchObject({
      code: 'NONZERO_EXIT', message: 'exec: bash exited with code 137 (as after SIGKILL)', data: { exit_code: 137 },
    })
  })

  it.each([
    ['echo "expected 4"; exit 1', 'stderr is empty; stdout ends with: expected 4'],
    ['false', 'It printed nothing. Print what it does (bash: set -x) and run it again.'],
  ])('finds a hint for %j', async (code, hint) => {
    expect(await failExec({ lang: 'bash', code })).toMatchObject({ hint })
  })

  it('explains what cannot be opened by name', async () => {
    const noise = "for i in $(seq 3); do echo 'No such thing' >&2; done"
    expect((await failExec({ lang: 'bash', code: `echo a > /dev/stderr; ${noise}; exit 1` })).hint)
      .toContain('write >&2')
    expect((await failExec({ lang: 'bash', code: 'echo a > /dev/stderr' })).hint).toContain('write >&2')
  })
})

describe('surroundings', () => {
  it('closes stdin', async () => {
    expect(await runExec({ lang: 'bash', code: 'cat; echo end' })).toMatchObject({ stdout: 'end\n' })
  })

  it('passes on what the user lets through', async () => {
    vi.stubEnv('HERMES_TEST_VALUE', 'ü')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await runExec({ lang: 'bash', code: 'echo $HERMES_TEST_VALUE' })).toMatchObject({ stdout: 'ü\n' })
  })

  it('runs in cwd', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'sub'))
    expect(await runExec({ lang: 'bash', code: 'pwd' }, { root })).toMatchObject({ stdout: `${root}\n` })
    expect(await runExec({ lang: 'bash', code: 'pwd', cwd: join(root, 'sub') }, { root }))
      .toMatchObject({ stdout: `${root}/sub\n` })
  })

  it.each([
    ['gone', 'ENOENT', "does not exist (ENOENT)"],
    ['file', 'ENOTDIR', "is not a directory (ENOTDIR)"],
  ])('refuses a cwd that is %s', async (name, code, text) => {
    const root = tempDir()
    writeFileSync(join(root, 'file'), '')
    const cwd = join(root, name)
    expect(await failExec({ lang: 'bash', code: 'pwd', cwd }, { root }))
      .toMatchObject({ code, message: `exec: cwd '${cwd}' ${text}` })
  })

  it('refuses a cwd outside the root, through links too', async () => {
    const root = tempDir()
    const outside = tempDir()
    symlinkSync(outside, join(root, 'link'))
    for (const cwd of [outside, join(root, '..'), join(root, 'link')]) {
      expect(await failExec({ lang: 'bash', code: 'pwd', cwd }, { root })).toMatchObject({ code: 'POLICY_DENIED' })
    }
  })
})
